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
 * @param room free bytes before each chunk, for the rest of the previous one
 */
export async function* readAhead(
  file: FileHandle,
  position: number,
  size: number,
  room: number,
): AsyncGenerator<Piece> {
  let current = Buffer.allocUnsafeSlow(room + size)
  let other = Buffer.allocUnsafeSlow(room + size)
  let ahead = file.read(current, room, size, position)
  for (;;) {
    const { bytesRead } = await ahead
    if (bytesRead === 0) return
    position += bytesRead
    ahead = file.read(other, room, size, position)
    // a failure is handled when it is awaited, and ignored when the caller stops early
    ahead.catch(() => undefined)
    yield { buffer: current, start: room, end: room + bytesRead }
    ;[current, other] = [other, current]
  }
}
