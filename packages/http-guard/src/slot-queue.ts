import { WaitLine } from '@partsbus/platform/async/wait-line'

/** In ms; the rate at which slots become free is that of the last one or two such intervals. */
const INTERVAL_MS = 500
/**
 * For this many ms after the slots became full, requests join whatever the rate is: until then, slots were freed as
 * fast as requests came, which says nothing about how fast the services can work.
 */
const BURST_MS = 500
const MAX_BURST = 256
const MAX_WAITING = 1_000
/** How long a request waits at most, in ms: a burst on a slow machine takes longer than the wait that was expected. */
const MIN_GIVE_UP_MS = 8_000

/**
 * Requests that wait for a slot, bounded by time instead of by number: a request joins only when, at the rate of the
 * last second, its turn comes soon enough. A burst that meets free services joins without that estimate. A request
 * leaves by its turn, or refused when the services have become slower meanwhile.
 */
export class SlotQueue {
  private readonly maxWaitMs: number
  private readonly waiting = new WaitLine()
  private intervalStart = -Infinity
  private freed = 0
  private freedBefore = 0
  private fullSince = Infinity

  /** @param maxWaitMs 0: no request waits */
  constructor(maxWaitMs: number) {
    this.maxWaitMs = maxWaitMs
  }

  get length(): number {
    return this.waiting.length
  }

  /** @returns whether the wait for a slot would be short enough now */
  mayJoin(now = performance.now()): boolean {
    if (this.maxWaitMs === 0 || this.waiting.length >= MAX_WAITING) return false
    this.fullSince = Math.min(this.fullSince, now)
    if (now - this.fullSince < Math.min(BURST_MS, this.maxWaitMs)) return this.waiting.length < MAX_BURST
    this.advance(now)
    const rate = (this.freed + this.freedBefore) / (INTERVAL_MS + now - this.intervalStart)
    return (this.waiting.length + 1) / rate <= this.maxWaitMs
  }

  /** @returns false when no slot became free in time */
  async join(): Promise<boolean> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), Math.max(MIN_GIVE_UP_MS, this.maxWaitMs * 2))
    try {
      await this.waiting.join(undefined, { signal: late.signal })
      return true
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  /** A slot was freed. */
  recordFreed(now = performance.now()): void {
    this.advance(now)
    this.freed += 1
  }

  /** Lets the first request proceed. @returns false when none waits */
  proceed(): boolean {
    const first = this.waiting.take()
    first?.proceed()
    if (this.waiting.length === 0) this.fullSince = Infinity
    return first !== undefined
  }

  private advance(now: number): void {
    const passed = now - this.intervalStart
    if (passed < INTERVAL_MS) return
    this.freedBefore = passed < 2 * INTERVAL_MS ? this.freed : 0
    this.freed = 0
    this.intervalStart = passed < 2 * INTERVAL_MS ? this.intervalStart + INTERVAL_MS : now
  }
}
