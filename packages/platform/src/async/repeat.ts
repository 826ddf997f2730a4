import { setTimeout as sleep } from 'node:timers/promises'

export interface RepeatOptions {
  /** ms between the end of one run and the beginning of the next */
  everyMs: number
  /** ms before the first run; default 0 */
  firstMs?: number
  /** spreads each pause by a quarter each way, so that replicas do not run in step */
  isSpread?: true
  /** Reports a run that failed. @returns ms until the next run, unless they are `everyMs` */
  failed: (error: unknown) => number | void
}

/** Work in the background. */
export interface Repetition {
  /** Ends the pause at once, and resolves when the current run has ended. */
  stop: () => Promise<void>
}

/**
 * Repeats work until it is stopped: running → pausing → running …. Runs never overlap, and a run that fails does not
 * end the repetition. A pause does not keep the process alive.
 * @param work its signal is aborted when the repetition is stopped
 */
export function repeat(
  work: (stop: AbortSignal) => Promise<unknown>,
  { everyMs, firstMs = 0, isSpread, failed }: RepeatOptions,
): Repetition {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    if (firstMs > 0) await pause(firstMs, signal)
    while (!signal.aborted) {
      let pauseMs = everyMs
      try {
        await work(signal)
      } catch (error) {
        pauseMs = failed(error) ?? everyMs
      }
      await pause(isSpread ? spread(pauseMs) : pauseMs, signal)
    }
  }
  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

/** Ends early when `stop` is aborted. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop, ref: false }).catch(() => undefined)
}

/** By a quarter each way. */
export function spread(ms: number, random: () => number = Math.random): number {
  return ms * (0.75 + random() / 2)
}
