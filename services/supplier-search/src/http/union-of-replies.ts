/** Rows of one query to one supplier; a request has at most 5,000 parts (partners.md#parts-limit). */
const MAX_ROWS = 20_000

/**
 * The rows of several replies to one query, each as often as in the reply that has it most often: a supplier that knows
 * synonyms of brands returns the same offers for each spelling, while one reply may have two equal offers. Replies are
 * added as they arrive, so that no turn of the event loop handles more than one.
 */
export class UnionOfReplies<Row> {
  readonly rows: Row[] = []
  /** Rows beyond the limit were left out. */
  isCut = false
  private readonly merged = new Map<string, number>()
  private isOnly = true

  constructor(private readonly limit = MAX_ROWS) {}

  add(reply: readonly Row[]): void {
    if (this.isOnly && this.rows.length === 0) return this.push(reply)
    // most queries have one reply, whose rows are never compared
    if (this.isOnly) this.selectNew(this.rows)
    this.isOnly = false
    this.push(this.selectNew(reply))
  }

  private selectNew(reply: readonly Row[]): Row[] {
    const counts = new Map<string, number>()
    return reply.filter((row) => {
      const text = JSON.stringify(row)
      const count = (counts.get(text) ?? 0) + 1
      counts.set(text, count)
      if (count <= (this.merged.get(text) ?? 0)) return false
      this.merged.set(text, count)
      return true
    })
  }

  private push(rows: readonly Row[]): void {
    const room = this.limit - this.rows.length
    if (rows.length > room) this.isCut = true
    for (const row of rows.slice(0, room)) this.rows.push(row)
  }
}
