const FAILURES = 5
const OPEN_MS = 30_000

/**
 * Stops asking a supplier that keeps failing (rules.md#suppliers-breaker).
 *   closed    → open       after 5 failures in a row
 *   open      → half-open  30 s later, by the next query, which is the probe
 *   half-open → closed     when the probe succeeds
 *   half-open → open       when the probe fails, for another 30 s
 */
export class CircuitBreaker {
  private readonly now: () => number
  private failures = 0
  private openUntil = 0
  private isProbing = false

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.now = now
  }

  /** @returns whether a query may go to the supplier; if so, `succeed`, `fail` or `cancel` must follow */
  tryEnter(): boolean {
    if (this.failures < FAILURES) return true
    if (this.isProbing || this.now() < this.openUntil) return false
    this.isProbing = true
    return true
  }

  succeed(): void {
    this.failures = 0
    this.isProbing = false
  }

  fail(): void {
    this.failures += 1
    this.isProbing = false
    if (this.failures >= FAILURES) this.openUntil = this.now() + OPEN_MS
  }

  /** The query was cancelled before the supplier could answer: neither success nor failure. */
  cancel(): void {
    this.isProbing = false
  }
}
