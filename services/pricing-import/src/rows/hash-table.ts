const FIRST_SLOTS = 1 << 12

/** Maps the hash of each key to a row, in 12 bytes per slot, and 8 more with a value of each row. */
export class HashTable {
  private high = new Uint32Array(FIRST_SLOTS)
  private low = new Uint32Array(FIRST_SLOTS)
  private rows = new Uint32Array(FIRST_SLOTS)
  private values: Float64Array
  size = 0

  /** @param hasValues whether `set` and `value` are used */
  constructor(private readonly hasValues = false) {
    this.values = new Float64Array(hasValues ? FIRST_SLOTS : 0)
  }

  /** The key has this row from now on. @returns the row that had the key before, or 0 */
  add(high: number, low: number, row: number): number {
    const slot = this.slotOf(high, low)
    const before = this.rows[slot] ?? 0
    this.high[slot] = high
    this.low[slot] = low
    this.rows[slot] = row
    if (before === 0) {
      this.size += 1
      if (this.size * 2 > this.rows.length) this.grow()
    }
    return before
  }

  /** As `add`, with the value of the row. */
  set(high: number, low: number, row: number, value: number): void {
    this.values[this.slotOf(high, low)] = value
    this.add(high, low, row)
  }

  has(high: number, low: number): boolean {
    return this.row(high, low) !== 0
  }

  /** 0 when there is none. */
  row(high: number, low: number): number {
    return this.rows[this.slotOf(high, low)] ?? 0
  }

  /** Of a key that has a row. */
  value(high: number, low: number): number {
    return this.values[this.slotOf(high, low)] ?? 0
  }

  clear(): void {
    this.rows.fill(0)
    this.size = 0
  }

  private slotOf(high: number, low: number): number {
    const mask = this.rows.length - 1
    let slot = low & mask
    while (this.rows[slot] !== 0 && (this.high[slot] !== high || this.low[slot] !== low)) slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    const { high, low, rows, values } = this
    this.high = new Uint32Array(rows.length * 2)
    this.low = new Uint32Array(rows.length * 2)
    this.rows = new Uint32Array(rows.length * 2)
    if (this.hasValues) this.values = new Float64Array(rows.length * 2)
    for (let index = 0; index < rows.length; index += 1) {
      if (rows[index] === 0) continue
      const slot = this.slotOf(high[index] ?? 0, low[index] ?? 0)
      this.high[slot] = high[index] ?? 0
      this.low[slot] = low[index] ?? 0
      this.rows[slot] = rows[index] ?? 0
      if (this.hasValues) this.values[slot] = values[index] ?? 0
    }
  }
}
