import type { FileHandle } from 'node:fs/promises'

/** A piece of a file, until the next one is asked for. */
export interface Piece {
  /** the buffer; the piece's own bytes start at `start` */
  buffer: Buffer
  start: number
  end: number
}

/**
 * Reads a file piece by piece; the next piece is read while one is worked on.
 * @param room free bytes in front of each piece, for what the worker keeps of the one before
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
    // its failure is met when it is awaited; who stops early never learns of it
    ahead.catch(() => undefined)
    yield { buffer: current, start: room, end: room + bytesRead }
    ;[current, other] = [other, current]
  }
}
