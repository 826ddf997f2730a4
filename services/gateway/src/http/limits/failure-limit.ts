import { AppError } from '@partsbus/contracts/errors'

const WINDOW_MS = 60_000
/** Failures from one address in a window that are still answered as such. */
const MAX_FAILURES = 300
const MAX_ADDRESSES = 10_000

/**
 * Failed authentications by client address, in windows of a minute. A valid token is always accepted: an attacker
 * behind the same proxy must not lock out the administrator.
 */
export class FailureLimit {
  private readonly windows = new Map<string, { startedAt: number; failures: number }>()

  /** Counts a failure. @throws AppError RATE_LIMITED with the seconds until the window ends when there were too many */
  record(address: string, now = performance.now()): void {
    const window = this.windows.get(address)
    if (!window || now - window.startedAt >= WINDOW_MS) {
      this.windows.delete(address)
      this.windows.set(address, { startedAt: now, failures: 1 })
      // the oldest window first
      if (this.windows.size > MAX_ADDRESSES) this.windows.delete(this.windows.keys().next().value ?? '')
      return
    }
    window.failures += 1
    if (window.failures > MAX_FAILURES) {
      const retryAfter = Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1_000))
      throw new AppError('RATE_LIMITED', 'Too many requests.', { details: { retryAfter } })
    }
  }
}
