import { AppError } from '@partsbus/contracts/app-error'
import { LRUCache } from 'lru-cache'

const WINDOW_MS = 60_000
const MAX_ENTRIES = 10_000

/** The failures of each key in the last minute, of which a few are allowed. */
export class FailureWindow {
  private readonly failures = new LRUCache<string, number[]>({ max: MAX_ENTRIES })
  private readonly allowed: number

  constructor(allowed: number) {
    this.allowed = allowed
  }

  /** @throws AppError RATE_LIMITED while the key has too many failures */
  assertFew(key: string, now: number): void {
    const recent = this.recent(key, now)
    if (recent.length >= this.allowed) throw rateLimited((recent[0] ?? now) + WINDOW_MS - now)
  }

  add(key: string, now: number): void {
    this.failures.set(key, [...this.recent(key, now), now])
  }

  private recent(key: string, now: number): number[] {
    return (this.failures.peek(key) ?? []).filter((at) => at > now - WINDOW_MS).slice(-this.allowed)
  }
}

export function rateLimited(waitMs: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000))
  return new AppError('RATE_LIMITED', 'Too many requests.', { details: { retryAfter } })
}
