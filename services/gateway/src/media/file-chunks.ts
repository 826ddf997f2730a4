import type { readMedia } from '@partsbus/contracts/catalog/commands'
import type { readTaskFile } from '@partsbus/contracts/pricing-import/commands'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { ByteRange } from './byte-range.js'

/** Bytes of a chunk, as many as a chunk of GridFS has. One chunk is requested ahead of the client. */
const CHUNK_BYTES = 255 * 1024
const CHUNKS_AHEAD = 1

/** The maximum memory of a response of this size. */
export function bufferedBytes(length: number): number {
  return Math.min(length, CHUNK_BYTES * (CHUNKS_AHEAD + 1))
}

/** Reads a range of a stored file. The next chunk is read while one is sent. */
export async function* readChunks(
  calls: Pick<BusClient, 'forward'>,
  command: typeof readMedia | typeof readTaskFile,
  id: number,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array> {
  const ahead: Array<{ length: number; bytes: Promise<Uint8Array> }> = []
  let next = first
  while (next <= last || ahead.length > 0) {
    while (next <= last && ahead.length < CHUNKS_AHEAD) {
      const length = Math.min(CHUNK_BYTES, last - next + 1)
      const bytes = calls.forward(command, Buffer.from(JSON.stringify({ id, offset: next, length })))
      // a failure is thrown when its turn comes
      bytes.catch(() => undefined)
      ahead.push({ length, bytes })
      next += length
    }
    const chunk = ahead.shift()
    const bytes = await chunk?.bytes
    if (!chunk || bytes?.length !== chunk.length)
      throw new Error(`${command.subject} ${id}: got ${bytes?.length ?? 0} bytes instead of ${chunk?.length ?? 0}`)
    yield bytes
  }
}
