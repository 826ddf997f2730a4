/** Of a reply of `readExport`: about a page of rows, so that making one takes no longer than a call may. */
const CHUNK_BYTES = 64 * 1024

/** The same bytes in chunks of one size, of which the last one may be smaller, and none is empty. */
export async function* inChunks(
  pieces: AsyncIterable<Uint8Array>,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + chunkBytes - length)
      parts.push(part)
      at += part.length
      length += part.length
      if (length < chunkBytes) continue
      yield Buffer.concat(parts)
      parts = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(parts)
}
