/** Multiplier of the limit after a request that was too slow. */
const BACKOFF = 0.7

/**
 * How many requests may be in progress, adjusted to the speed of the services (additive increase, multiplicative
 * decrease). The limit grows while requests finish within the target and is in use; a slow request lowers it.
 * Requests that started before the limit was last lowered do not lower it again: they queued under the old one.
 */
export class ConcurrencyLimit {
  private limit: number
  private loweredAt = -Infinity
  private readonly min: number
  private readonly max: number

  constructor({ initial, min, max }: { initial: number; min: number; max: number }) {
    this.limit = initial
    this.min = min
    this.max = max
  }

  get current(): number {
    return Math.floor(this.limit)
  }

  /**
   * Records a finished request.
   * @param isSlow it took longer than its target, timed out or was refused by an overloaded service
   * @param inProgress requests in progress when it finished, itself included
   */
  record(startedAt: number, isSlow: boolean, inProgress: number, now = performance.now()): void {
    if (!isSlow) {
      if (inProgress * 2 >= this.limit) this.limit = Math.min(this.max, this.limit + 1)
    } else if (startedAt > this.loweredAt) {
      this.limit = Math.max(this.min, this.limit * BACKOFF)
      this.loweredAt = now
    }
  }
}
