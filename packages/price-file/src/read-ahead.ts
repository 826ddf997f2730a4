import type { FileHandle } from 'node:fs/promises'

/** A chunk of a file; valid until the next one is requested. */
export interface Piece {
  /** the buffer; the chunk starts at `start` */
  buffer: Buffer
  start: number
  end: number
}

/**
 * Reads a file in chunks; the next chunk is read while the caller processes one.
 * @param size of a chunk
 * @param room free bytes before each chunk, for the rest of the previous one
 */
export async function* readAhead(
  file: FileHandle,
  position: number,
  size: number,
  room: number,
): AsyncGenerator<Piece> {
  // large buffers for the many small lists would cost more in garbage collection than all the rest of their reading
  const length = Math.min(size, Math.max(1, (await file.stat()).size - position))
  let current = Buffer.allocUnsafeSlow(room + length)
  let other = Buffer.allocUnsafeSlow(room + length)
  let ahead = file.read(current, room, length, position)
  for (;;) {
    const { bytesRead } = await ahead
    if (bytesRead === 0) return
    position += bytesRead
    ahead = file.read(other, room, length, position)
    // a failure is handled when it is awaited, and ignored when the caller stops early
    ahead.catch(() => undefined)
    yield { buffer: current, start: room, end: room + bytesRead }
    ;[current, other] = [other, current]
  }
}
