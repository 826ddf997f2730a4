/**
 * The rows of a file that other rows replace. A file without duplicates needs no memory, one of five million rows with
 * some 20 MB.
 */
export class ReplacedRows {
  private replacing: Uint32Array | undefined

  /** @param last the highest row number */
  constructor(private readonly last: number) {}

  set(row: number, by: number): void {
    this.replacing ??= new Uint32Array(this.last + 1)
    this.replacing[row] = by
  }

  /** The row that is imported in place of this one; 0: this one is. */
  by(row: number): number {
    return this.replacing?.[row] ?? 0
  }

  /** Follows chains to their end: of three equal rows the first is replaced by the third, not by the second. */
  resolve(): void {
    const by = this.replacing
    if (!by) return
    for (let row = 1; row < by.length; row += 1) {
      let end = by[row] ?? 0
      if (end === 0) continue
      for (let next = by[end] ?? 0; next !== 0; next = by[end] ?? 0) end = next
      for (let at = row; at !== end;) {
        const next = by[at] ?? end
        by[at] = end
        at = next
      }
    }
  }
}
