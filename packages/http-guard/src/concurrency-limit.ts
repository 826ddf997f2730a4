import { AdaptiveLimit } from '@partsbus/platform/async/adaptive-limit'

/** In ms; a window ends after the first with enough requests, or after the second with any. */
const WINDOW_MS = 250
const LONG_WINDOW_MS = 1_000
const ENOUGH = 16

/**
 * How many requests may be in progress, adjusted to the speed of the services. The measure of a window is the median of
 * its requests, so that a few slow ones do not count. Requests that started before the limit was last lowered queued
 * under the old one and are not measured.
 */
export class ConcurrencyLimit {
  private readonly limit: AdaptiveLimit
  private loweredAt = -Infinity
  private openedAt = -Infinity
  private pressures: number[] = []
  private peak = 0

  constructor(range: { initial: number; min: number; max: number }) {
    this.limit = new AdaptiveLimit(range)
  }

  get current(): number {
    return this.limit.current
  }

  /**
   * Records a finished request.
   * @param pressure its duration as a multiple of its target
   * @param inProgress requests in progress when it finished, itself included
   */
  record(startedAt: number, pressure: number, inProgress: number, now = performance.now()): void {
    if (startedAt < this.loweredAt) return
    if (this.pressures.length === 0) this.openedAt = now
    this.pressures.push(pressure)
    this.peak = Math.max(this.peak, inProgress)
    const age = now - this.openedAt
    if (age < WINDOW_MS || (age < LONG_WINDOW_MS && this.pressures.length < ENOUGH)) return
    if (this.limit.adjust(middle(this.pressures), this.peak)) this.loweredAt = now
    this.pressures = []
    this.peak = 0
  }
}

function middle(values: number[]): number {
  return values.sort((one, other) => one - other)[values.length >> 1] ?? 0
}
