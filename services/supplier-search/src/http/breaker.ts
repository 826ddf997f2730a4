/**
 * Cuts off a supplier that keeps failing (rules.md#suppliers-breaker).
 *   closed    → open       after 5 failures in a row
 *   open      → half-open  30 s later, by the next question, which is the probe
 *   half-open → closed     when the probe succeeds
 *   half-open → open       when it fails, for another 30 s
 */
export class Breaker {
  private readonly now: () => number
  private failures = 0
  private openUntil = 0
  private probing = false

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.now = now
  }

  /** @returns false while the supplier is cut off; after true, `succeeded`, `failed` or `withdrawn` must follow */
  enter(): boolean {
    if (this.failures < FAILURES) return true
    if (this.probing || this.now() < this.openUntil) return false
    this.probing = true
    return true
  }

  succeeded(): void {
    this.failures = 0
    this.probing = false
  }

  failed(): void {
    this.failures += 1
    this.probing = false
    if (this.failures >= FAILURES) this.openUntil = this.now() + OPEN_MS
  }

  /** The question was given up before the supplier could answer: neither success nor failure. */
  withdrawn(): void {
    this.probing = false
  }
}

const FAILURES = 5
const OPEN_MS = 30_000
