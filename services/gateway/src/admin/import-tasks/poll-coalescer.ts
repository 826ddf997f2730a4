import { LRUCache } from 'lru-cache'

/** More than there are listeners. */
const MAX_KEYS = 1_000

/** Lets all listeners of one resource share its polls: one read per interval, however many listeners there are. */
export class PollCoalescer<Value> {
  private readonly reads: LRUCache<string, Promise<Value>>

  /** @param clock of tests */
  constructor(intervalMs: number, clock: { now: () => number } = performance) {
    // timers may fire a millisecond early
    this.reads = new LRUCache({ max: MAX_KEYS, ttl: intervalMs - 1, ttlResolution: 0, perf: clock })
  }

  /** Reads, unless the last read of this key began within the interval. */
  read(key: string, read: () => Promise<Value>): Promise<Value> {
    const last = this.reads.get(key)
    if (last) return last
    const value = read()
    this.reads.set(key, value)
    // the reader gets the error; the next listener tries again
    value.catch(() => {
      if (this.reads.peek(key) === value) this.reads.delete(key)
    })
    return value
  }
}
