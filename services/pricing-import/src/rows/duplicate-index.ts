import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { KeyHash } from './key-hash.js'
import { HashTable } from './hash-table.js'

/** Keys are partitioned by their first bits, and the partitions are processed one after another. */
const PARTS = 64
const PART_SHIFT = 26
/** high, low, row, and the two halves of the rank where it is needed */
const WORDS = 3
const RANKED_WORDS = 5
/** Records of a partition that are buffered before they are written to disk; a small file needs less. */
const HELD = 4_096
const FIRST_HELD = 64

/** Which of several rows with the same key is imported. */
export type Duplicates = NonNullable<PriceListFormat['duplicates']>

interface Part {
  held: Uint32Array
  /** words in use */
  used: number
  /** descriptor of the file with the records that were written to disk */
  file: number | undefined
}

export interface DuplicateOptions {
  duplicates?: Duplicates
  /** whether `rank` is called afterwards */
  keepRanks?: boolean
  /** records of a partition that are buffered; smaller only in tests */
  held?: number
}

/**
 * Records the key of each row and finds the rows that another row with the same key replaces (rules.md#duplicates).
 * Memory does not grow with the file: five million keys use 60 MB on disk (100 MB with ranks) and 3 MB in memory. Keys
 * are compared by 64-bit hashes: the chance that any two of five million collide is below one in a million.
 */
export class DuplicateIndex {
  private readonly folder: string
  private readonly duplicates: Duplicates
  private readonly isRanked: boolean
  private readonly words: number
  private readonly heldWords: number
  private readonly hash = new KeyHash()
  private readonly parts: Part[] = []
  private readonly rank = new Float64Array(1)
  private readonly rankWords = new Uint32Array(this.rank.buffer)
  private tables: Array<HashTable | undefined> | undefined

  /** @param folder for records that do not fit into memory */
  constructor(folder: string, { duplicates = 'last', keepRanks = false, held = HELD }: DuplicateOptions = {}) {
    this.folder = folder
    this.duplicates = duplicates
    this.isRanked = keepRanks || duplicates === 'cheapest'
    this.words = this.isRanked ? RANKED_WORDS : WORDS
    this.heldWords = held * this.words
    for (let part = 0; part < PARTS; part += 1)
      this.parts.push({ held: new Uint32Array(FIRST_HELD * this.words), used: 0, file: undefined })
  }

  /**
   * Rows must be added in ascending order.
   * @param rank see price-rank.ts; the lowest one wins where the cheapest row does
   */
  add(brandKey: string, articleKey: string, row: number, rank = 0): void {
    this.hash.of(brandKey, articleKey)
    const { high, low } = this.hash
    const index = high >>> PART_SHIFT
    const part = this.parts[index]
    if (!part) return
    if (part.used === part.held.length) this.makeRoom(part, index)
    part.held[part.used] = high
    part.held[part.used + 1] = low
    part.held[part.used + 2] = row
    if (this.isRanked) {
      this.rank[0] = rank
      part.held[part.used + 3] = this.rankWords[0] ?? 0
      part.held[part.used + 4] = this.rankWords[1] ?? 0
    }
    part.used += this.words
  }

  /**
   * Processes all keys; to be called once.
   * @param onDuplicate receives each row that another row replaces, and that row, which may be replaced itself
   * @param keep keys that stay in memory, because `has` or `rankOf` is called afterwards: none, all, or those of one
   * partition in so many
   * @returns the number of different keys
   */
  findDuplicates(onDuplicate: (row: number, by: number) => void, keep: 'none' | 'all' | number): number {
    let keys = 0
    let table = new HashTable(this.isRanked)
    this.tables = keep === 'none' ? undefined : []
    this.parts.forEach((part, index) => {
      for (const records of recordsOf(part)) this.process(records, table, onDuplicate)
      keys += table.size
      const isKept = keep === 'all' || (keep !== 'none' && index % keep === 0)
      this.tables?.push(isKept ? table : undefined)
      if (isKept) table = new HashTable(this.isRanked)
      else table.clear()
    })
    return keys
  }

  /** Whether a row has the key. Requires `findDuplicates` with all keys kept. */
  has(brandKey: string, articleKey: string): boolean {
    return this.tableOf(brandKey, articleKey)?.has(this.hash.high, this.hash.low) ?? false
  }

  /**
   * The rank of the row that is imported of a key, null when no row has it. Requires `keepRanks`.
   * @returns undefined when the keys of its partition were not kept
   */
  rankOf(brandKey: string, articleKey: string): number | null | undefined {
    const table = this.tableOf(brandKey, articleKey)
    const { high, low } = this.hash
    return table && (table.has(high, low) ? table.value(high, low) : null)
  }

  private tableOf(brandKey: string, articleKey: string): HashTable | undefined {
    this.hash.of(brandKey, articleKey)
    return this.tables?.[this.hash.high >>> PART_SHIFT]
  }

  private process(records: Uint32Array, table: HashTable, onDuplicate: (row: number, by: number) => void): void {
    if (this.isRanked || this.duplicates !== 'last') return this.processRanked(records, table, onDuplicate)
    for (let at = 0; at < records.length; at += WORDS) {
      const row = records[at + 2] ?? 0
      const before = table.add(records[at] ?? 0, records[at + 1] ?? 0, row)
      if (before !== 0) onDuplicate(before, row)
    }
  }

  private processRanked(records: Uint32Array, table: HashTable, onDuplicate: (row: number, by: number) => void): void {
    for (let at = 0; at < records.length; at += this.words) {
      const [high = 0, low = 0, row = 0] = [records[at], records[at + 1], records[at + 2]]
      const rank = this.isRanked ? this.rankAt(records, at) : 0
      const before = table.row(high, low)
      const replaces = before === 0 || this.replaces(rank, table, high, low)
      if (replaces) table.set(high, low, row, rank)
      if (before !== 0) onDuplicate(replaces ? before : row, replaces ? row : before)
    }
  }

  /** Of two rows at the same price the later one is imported. */
  private replaces(rank: number, table: HashTable, high: number, low: number): boolean {
    return this.duplicates === 'last' || (this.duplicates === 'cheapest' && rank <= table.value(high, low))
  }

  private rankAt(records: Uint32Array, at: number): number {
    this.rankWords[0] = records[at + 3] ?? 0
    this.rankWords[1] = records[at + 4] ?? 0
    return this.rank[0] ?? 0
  }

  private makeRoom(part: Part, index: number): void {
    if (part.held.length < this.heldWords) {
      const larger = new Uint32Array(Math.min(this.heldWords, part.held.length * 4))
      larger.set(part.held)
      part.held = larger
      return
    }
    part.file ??= openSync(join(this.folder, `keys-${index}`), 'w+')
    const bytes = Buffer.from(part.held.buffer)
    for (let written = 0; written < bytes.length;) written += writeSync(part.file, bytes, written)
    part.used = 0
  }
}

/** The records of a partition in their order. Empties the partition. */
function* recordsOf(part: Part): Generator<Uint32Array> {
  const rest = part.held.slice(0, part.used)
  if (part.file !== undefined) {
    const { file, held } = part
    const bytes = Buffer.from(held.buffer)
    let position = 0
    for (;;) {
      const read = readSync(file, bytes, 0, bytes.length, position)
      if (read === 0) break
      position += read
      yield held.subarray(0, read / Uint32Array.BYTES_PER_ELEMENT)
    }
    closeSync(file)
  }
  yield rest
  part.held = new Uint32Array(0)
  part.used = 0
}
