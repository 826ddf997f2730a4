import type { ProcessStore } from '../mongo/process-store.js'
import type { Log } from './log.js'

const EVERY_MS = 1_000

/** Keeps the entry of this process until `remove`. The first one is written before this resolves. */
export async function keepEntry(entries: ProcessStore, log: Log): Promise<{ remove(): Promise<void> }> {
  await entries.renew()
  let timer: NodeJS.Timeout | undefined
  let renewal = Promise.resolve()
  let isRemoved = false
  const schedule = (): void => {
    if (isRemoved) return
    timer = setTimeout(() => {
      // while the database is down the entry ends
      renewal = entries.renew().catch(() => undefined)
      void renewal.then(schedule)
    }, EVERY_MS).unref()
  }
  schedule()
  return {
    remove: async () => {
      isRemoved = true
      clearTimeout(timer)
      await renewal
      await entries.remove().catch((error: unknown) => log.warn({ err: error }, 'entry of the process not removed'))
    },
  }
}
