interface Entry {
  rows: readonly unknown[]
  until: number
  weight: number
}

/** What an answer weighs besides its rows. */
const ENTRY_WEIGHT = 5

/**
 * Whole answers of single suppliers, for as long as each supplier allows. Within one process: what is kept for seconds
 * is not worth a trip to the database. The least recently used go first when `maxWeight` (about a row each) is passed.
 */
export class AnswerCache {
  private readonly entries = new Map<string, Entry>()
  private readonly maxWeight: number
  private readonly now: () => number
  private weight = 0

  /** @param now milliseconds of a clock that never goes back */
  constructor(maxWeight: number, now: () => number) {
    this.maxWeight = maxWeight
    this.now = now
  }

  get<Row>(key: string): Row[] | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.drop(key)
    if (entry.until <= this.now()) return undefined
    this.keep(key, entry)
    return entry.rows as Row[]
  }

  put(key: string, rows: readonly unknown[], seconds: number): void {
    this.drop(key)
    const weight = rows.length + ENTRY_WEIGHT
    if (seconds <= 0 || weight > this.maxWeight / 10) return
    this.keep(key, { rows, until: this.now() + seconds * 1_000, weight })
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.maxWeight) return
      this.drop(oldest)
    }
  }

  private keep(key: string, entry: Entry): void {
    this.entries.set(key, entry)
    this.weight += entry.weight
  }

  private drop(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.entries.delete(key)
    this.weight -= entry.weight
  }
}
