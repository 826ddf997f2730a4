import type { readMedia } from '@partsbus/contracts/catalog'
import type { readTaskFile } from '@partsbus/contracts/pricing'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { ByteRange } from './byte-range.js'

/** Bytes of one piece, and pieces asked for ahead of the client. */
const PIECE_BYTES = 512 * 1024
const PIECES_AHEAD = 3

/** What a slow reader makes the gateway hold of a range of this many bytes. */
export function bufferedBytes(length: number): number {
  return Math.min(length, PIECE_BYTES * (PIECES_AHEAD + 1))
}

/** The bytes of a stored file in order; the next pieces are on their way while one is sent. */
export async function* readChunks(
  calls: Pick<BusClient, 'forward'>,
  command: typeof readMedia | typeof readTaskFile,
  id: number,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array> {
  const ahead: Array<{ length: number; bytes: Promise<Uint8Array> }> = []
  let next = first
  while (next <= last || ahead.length > 0) {
    while (next <= last && ahead.length < PIECES_AHEAD) {
      const length = Math.min(PIECE_BYTES, last - next + 1)
      const bytes = calls.forward(command, Buffer.from(JSON.stringify({ id, offset: next, length })))
      // one that fails while an earlier one is sent is met when its turn comes
      bytes.catch(() => undefined)
      ahead.push({ length, bytes })
      next += length
    }
    const piece = ahead.shift()
    const bytes = await piece?.bytes
    if (!piece || bytes?.length !== piece.length)
      throw new Error(`${command.subject} ${id}: ${bytes?.length ?? 0} bytes came instead of ${piece?.length ?? 0}`)
    yield bytes
  }
}
