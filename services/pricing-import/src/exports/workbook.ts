import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { YOUNG_MB } from '@partsbus/platform/process/run-in-thread'
import type { Cell } from './csv.js'
import type { WorkbookOptions, WorkbookRequest, WorkbookResponse } from './workbook-thread.js'

// always the built file, also when this module runs from source
const THREAD = join(import.meta.dirname, '..', '..', 'dist', 'exports', 'workbook-thread.js')
/** Old generation of a thread's heap, of which 1,000,000 rows use 30 MB. */
const MAX_MEMORY_MB = 64
/** A thread with its young generation, its stack, and what it compresses outside of its heap. */
export const WORKBOOK_MB = 96

/**
 * The bytes of an XLSX file. It is written by a thread of its own, because each row costs as much time as a search. A
 * batch is read when the bytes of the one before have left, so the memory does not depend on the number of rows. The
 * thread ends with the generator.
 */
export async function* writeWorkbook(
  rows: AsyncIterable<Cell[][]>,
  options: WorkbookOptions,
): AsyncGenerator<Uint8Array> {
  const thread = new Worker(THREAD, {
    workerData: options,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  // an error while no response is awaited ends the thread, and the next request then fails
  let failure: unknown
  thread.on('error', (error) => {
    failure = error
  })
  const write = async (batch: WorkbookRequest): Promise<Uint8Array[]> => {
    if (failure !== undefined) throw failure
    thread.postMessage(batch)
    const ended = new AbortController()
    const exited = once(thread, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('the thread of the workbook ended')
    })
    try {
      const [response] = (await Promise.race([once(thread, 'message', { signal: ended.signal }), exited])) as [
        WorkbookResponse,
      ]
      return response.bytes
    } finally {
      ended.abort()
      exited.catch(() => undefined)
    }
  }
  try {
    for await (const batch of rows) yield* await write(batch)
    yield* await write(null)
  } finally {
    await thread.terminate()
  }
}
