import { Injectable } from '@nestjs/common'
import { MediaSetStore } from './media-set-store.js'

/** Pause before the sets are read; it grows from the first to the last value, and with the number of sets. */
const FIRST_MS = 40
const LAST_MS = 1_000
const EACH_SET_MS = 0.4

type Listener = (setId: string, request: string) => void

/** Lets requests wait until their media sets are settled. */
@Injectable()
export class SettlementWaiter {
  private readonly listeners = new Set<Listener>()

  constructor(private readonly sets: MediaSetStore) {}

  /** Reports a set that this process has settled. */
  notify(setId: string, request: string): void {
    for (const listener of this.listeners) listener(setId, request)
  }

  /**
   * Waits until every set of a request is settled, or replaced by another request, for at most `waitMs`. Sets settled
   * by this process are known at once; those of other processes are found by polling.
   */
  async wait(setIds: readonly string[], request: string, waitMs: number): Promise<void> {
    const open = new Set(setIds)
    const end = performance.now() + waitMs
    let wake = (): void => undefined
    const listener: Listener = (id, by) => {
      if (by === request && open.delete(id) && open.size === 0) wake()
    }
    this.listeners.add(listener)
    try {
      for (let pause = FIRST_MS; open.size > 0; pause = Math.min(pause * 1.6, LAST_MS)) {
        const left = end - performance.now()
        if (left <= 0) return
        await new Promise<void>((done) => {
          const timer = setTimeout(done, Math.min(Math.max(pause, open.size * EACH_SET_MS), left))
          wake = () => {
            clearTimeout(timer)
            done()
          }
        })
        if (open.size > 0) for (const id of await this.sets.findSettled([...open], request)) open.delete(id)
      }
    } finally {
      this.listeners.delete(listener)
    }
  }
}
