/** Rows that are looked at, so that a list of millions of brands takes bounded memory. */
const MAX_ROWS = 10_000
/** A column with fewer different values may hold anything. */
const MIN_DIFFERENT = 20

/**
 * Tells a column of brands from one of article numbers, whose heading may mean a brand as well. A brand stands in many
 * rows and seldom has a digit; a number stands in few.
 */
export class SeenBrands {
  private readonly different = new Set<string>()
  private withDigit = 0
  private rows = 0

  add(brandKey: string): void {
    if (this.rows >= MAX_ROWS) return
    this.rows += 1
    if (this.different.has(brandKey)) return
    this.different.add(brandKey)
    if (/\d/.test(brandKey)) this.withDigit += 1
  }

  /** The number of different brands where they look like something else; else 0. */
  get doubtful(): number {
    const { size } = this.different
    if (size < MIN_DIFFERENT) return 0
    const isAlmostEachRow = size >= this.rows * 0.8
    const isNumbers = size >= this.rows * 0.3 && this.withDigit > size / 2
    return isAlmostEachRow || isNumbers ? size : 0
  }
}
