import { readMedia } from '@partsbus/contracts/catalog'
import type { BusClient } from '@partsbus/platform/bus-client'
import type { ByteRange } from './byte-range.js'

/** Bytes of one piece, and pieces asked for ahead of the client: what a slow reader makes the gateway hold. */
const PIECE_BYTES = 512 * 1024
const PIECES_AHEAD = 3

/** The bytes of a stored picture in order; the next pieces are on their way while one is sent. */
export async function* readPieces(calls: BusClient, id: number, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  const ahead: Array<Promise<Uint8Array>> = []
  let next = first
  while (next <= last || ahead.length > 0) {
    while (next <= last && ahead.length < PIECES_AHEAD) {
      const length = Math.min(PIECE_BYTES, last - next + 1)
      const piece = calls.forward(readMedia, Buffer.from(JSON.stringify({ id, offset: next, length })))
      // one that fails while an earlier one is sent is met when its turn comes
      piece.catch(() => undefined)
      ahead.push(piece)
      next += length
    }
    const piece = await ahead.shift()
    if (piece) yield piece
  }
}
