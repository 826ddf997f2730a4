const WINDOW_SECONDS = 60

/**
 * Requests of the last minute, in one bucket for each second. The oldest bucket counts in part, as the window slides.
 */
export class MinuteWindow {
  private second: number
  /** by age in seconds; the last one has partly left the window */
  private readonly counts: number[]

  /** @param counts by age in seconds; missing ones are 0 */
  constructor(now: number, counts: readonly number[] = []) {
    this.second = Math.floor(now / 1_000)
    this.counts = Array.from({ length: WINDOW_SECONDS + 1 }, (_, age) => counts[age] ?? 0)
  }

  add(now: number): void {
    this.advance(now)
    this.counts[0] = (this.counts[0] ?? 0) + 1
  }

  total(now: number): number {
    this.advance(now)
    const leaving = now / 1_000 - this.second
    return this.counts.reduce((sum, count, age) => sum + (age === WINDOW_SECONDS ? count * (1 - leaving) : count), 0)
  }

  /** Whole seconds, 1 to 60, until the window holds at most this many requests, if no other arrives. */
  secondsUntil(most: number, now: number): number {
    this.advance(now)
    const staying = 1 - (now / 1_000 - this.second)
    let younger = this.counts.reduce((sum, count, age) => sum + (age < WINDOW_SECONDS ? count : 0), 0)
    for (let seconds = 1; seconds < WINDOW_SECONDS; seconds += 1) {
      const oldest = this.counts[WINDOW_SECONDS - seconds] ?? 0
      younger -= oldest
      if (younger + oldest * staying <= most) return seconds
    }
    return WINDOW_SECONDS
  }

  /** The counts by age in seconds, without the zeros at the end. */
  snapshot(now: number): number[] {
    this.advance(now)
    return this.counts.slice(0, this.counts.findLastIndex((count) => count > 0) + 1)
  }

  private advance(now: number): void {
    const passed = Math.min(Math.floor(now / 1_000) - this.second, this.counts.length)
    if (passed <= 0) return
    this.counts.unshift(...Array.from({ length: passed }, () => 0))
    this.counts.length = WINDOW_SECONDS + 1
    this.second = Math.floor(now / 1_000)
  }
}
