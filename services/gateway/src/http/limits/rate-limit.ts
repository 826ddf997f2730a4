import { AppError } from '@partsbus/contracts/errors'

const WINDOW_MS = 60_000

/**
 * Requests a minute of one door's token, counted in this process from the first request of a minute on.
 * @fastify/rate-limit does not fit: it hooks into single routes, so unknown paths would not count, and it could not
 * stand between the checks before it and the 404 after it; its table of clients is not needed for one token.
 */
export class RateLimit {
  private token = ''
  private startedAt = 0
  private count = 0

  /**
   * Counts a request. A token that was issued anew starts at zero.
   * @param limit null: no limit
   * @throws AppError RATE_LIMITED with the seconds until the next minute begins
   */
  take(token: string, limit: number | null, now = performance.now()): void {
    if (limit === null) return
    if (token !== this.token || now - this.startedAt >= WINDOW_MS) {
      this.token = token
      this.startedAt = now
      this.count = 0
    }
    if (this.count >= limit) {
      const retryAfter = Math.max(1, Math.ceil((this.startedAt + WINDOW_MS - now) / 1_000))
      throw new AppError('RATE_LIMITED', 'Too many requests.', { details: { retryAfter } })
    }
    this.count += 1
  }
}
