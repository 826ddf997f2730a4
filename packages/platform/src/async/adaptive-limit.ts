/** By how much an unused limit grows at each adjustment. */
const GROWTH = 0.1
/** The strongest reduction at once. */
const MAX_PRESSURE = 2

/**
 * A limit of concurrent work that follows a measured delay. By Little's law, at a given throughput the delay is
 * proportional to the concurrency: where it is twice its target, half the concurrency meets the target.
 */
export class AdaptiveLimit {
  private readonly min: number
  private readonly max: number
  private limit: number

  constructor({ initial, min, max }: { initial: number; min: number; max: number }) {
    this.min = min
    this.max = max
    this.limit = initial
  }

  get current(): number {
    return Math.floor(this.limit)
  }

  /**
   * Lowers the limit when the delay was above its target, and raises it by a tenth when at least half of it was used.
   * Below the minimum the concurrency is not the cause of the delay, and the limit stays.
   * @param pressure the delay as a multiple of its target
   * @param peak the highest concurrency since the last adjustment
   * @returns whether it was lowered
   */
  adjust(pressure: number, peak: number): boolean {
    if (pressure > 1) {
      if (peak <= this.min) return false
      this.limit = Math.max(this.min, Math.min(this.limit, peak) / Math.min(pressure, MAX_PRESSURE))
      return true
    }
    if (peak * 2 >= this.limit) this.limit = Math.min(this.max, this.limit + Math.max(1, this.limit * GROWTH))
    return false
  }
}
