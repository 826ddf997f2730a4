/** Cells of a column that count as blank (admin.md#ignore-values). */
export class IgnoredValues {
  private readonly whole = new Set<string>()
  private readonly beginnings: string[] = []

  /** @param values cells, compared without case; one that ends with `*` matches every cell that begins with it */
  constructor(values: readonly string[]) {
    for (const value of values) {
      const text = value.trim().toLowerCase()
      if (text.length > 1 && text.endsWith('*')) this.beginnings.push(text.slice(0, -1))
      else this.whole.add(text)
    }
  }

  /** @param cell trimmed */
  includes(cell: string): boolean {
    const text = cell.toLowerCase()
    return this.whole.has(text) || this.beginnings.some((beginning) => text.startsWith(beginning))
  }
}
