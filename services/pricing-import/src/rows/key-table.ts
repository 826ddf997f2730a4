/** Rows of a 5,000,000-row file take 12 bytes × 2 slots each, while the file is counted. */
const FIRST_SLOTS = 1 << 12

/**
 * Remembers the last row of each key by a 64-bit hash of it (two keys of five million meet with a chance below one in a million).
 * Rows must be added in ascending order.
 */
export class KeyTable {
  private high = new Uint32Array(FIRST_SLOTS)
  private low = new Uint32Array(FIRST_SLOTS)
  private rows = new Uint32Array(FIRST_SLOTS)
  private hashHigh = 0
  private hashLow = 0
  size = 0

  /** @returns the row that had the key before, or 0 */
  add(brandKey: string, articleKey: string, row: number): number {
    this.hash(brandKey, articleKey)
    const slot = this.slotOf()
    const before = this.rows[slot] ?? 0
    this.high[slot] = this.hashHigh
    this.low[slot] = this.hashLow
    this.rows[slot] = row
    if (before === 0) {
      this.size += 1
      if (this.size * 2 > this.rows.length) this.grow()
    }
    return before
  }

  has(brandKey: string, articleKey: string): boolean {
    this.hash(brandKey, articleKey)
    return this.rows[this.slotOf()] !== 0
  }

  private slotOf(): number {
    const mask = this.rows.length - 1
    let slot = this.hashLow & mask
    while (this.rows[slot] !== 0 && (this.high[slot] !== this.hashHigh || this.low[slot] !== this.hashLow)) slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    const { high, low, rows } = this
    this.high = new Uint32Array(rows.length * 2)
    this.low = new Uint32Array(rows.length * 2)
    this.rows = new Uint32Array(rows.length * 2)
    for (let index = 0; index < rows.length; index += 1) {
      if (rows[index] === 0) continue
      this.hashHigh = high[index] ?? 0
      this.hashLow = low[index] ?? 0
      const slot = this.slotOf()
      this.high[slot] = this.hashHigh
      this.low[slot] = this.hashLow
      this.rows[slot] = rows[index] ?? 0
    }
  }

  /** cyrb53's mixing, with all 64 bits kept. */
  private hash(brandKey: string, articleKey: string): void {
    let one = 0xdeadbeef
    let two = 0x41c6ce57
    for (let index = 0; index < brandKey.length; index += 1) {
      const code = brandKey.charCodeAt(index)
      one = Math.imul(one ^ code, 2_654_435_761)
      two = Math.imul(two ^ code, 1_597_334_677)
    }
    one = Math.imul(one ^ 0x1f, 2_654_435_761)
    two = Math.imul(two ^ 0x1f, 1_597_334_677)
    for (let index = 0; index < articleKey.length; index += 1) {
      const code = articleKey.charCodeAt(index)
      one = Math.imul(one ^ code, 2_654_435_761)
      two = Math.imul(two ^ code, 1_597_334_677)
    }
    const first = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909)
    const second = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
    this.hashLow = first >>> 0
    this.hashHigh = second >>> 0
  }
}
