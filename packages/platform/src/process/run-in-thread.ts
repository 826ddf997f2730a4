import { Worker } from 'node:worker_threads'

/** The default, 48 MB, is as much as many threads need altogether. */
export const YOUNG_MB = 16

export interface ThreadOptions {
  /** ends the thread */
  signal: AbortSignal
  /** old generation of its heap; the young one has {@link YOUNG_MB} */
  maxMemoryMb: number
}

/**
 * Runs a script in a thread of its own, whose uncaught errors end the thread and not the process. The script reads
 * `workerData` and posts its result as one message.
 * @throws the error that ended the thread, or the signal's reason
 */
export async function runInThread<Result>(
  script: string,
  data: unknown,
  { signal, maxMemoryMb }: ThreadOptions,
): Promise<Result> {
  signal.throwIfAborted()
  const worker = new Worker(script, {
    workerData: data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  let stop = (): void => undefined
  try {
    return await new Promise<Result>((done, fail) => {
      stop = () => fail(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      worker.once('message', done)
      worker.once('error', fail)
      worker.once('exit', () => fail(new Error('the thread ended without a result')))
    })
  } finally {
    signal.removeEventListener('abort', stop)
    // errors while the thread ends would be unhandled
    worker.on('error', () => undefined)
    await worker.terminate()
  }
}
