/** Counts by key, like how much of a shared bound each caller has. A key with a count of 0 takes no memory. */
export class Counts {
  private readonly counts = new Map<string, number>()

  of(key: string): number {
    return this.counts.get(key) ?? 0
  }

  /** @param amount below 0: it is taken back */
  add(key: string, amount = 1): void {
    const count = this.of(key) + amount
    if (count > 0) this.counts.set(key, count)
    else this.counts.delete(key)
  }

  /** Those with a count, the one that got its count first at the front. */
  keys(): string[] {
    return [...this.counts.keys()]
  }
}
