import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { KeyHash } from './key-hash.js'
import { HashTable } from './hash-table.js'

/** Keys are partitioned by their first bits, and the partitions are processed one after another. */
const PARTS = 64
const PART_SHIFT = 26
/** high, low, row */
const WORDS = 3
/** Records of a partition that are buffered before they are written to disk; a small file needs less. */
const HELD = 4_096
const FIRST_HELD = 64

interface Part {
  held: Uint32Array
  /** words in use */
  used: number
  /** descriptor of the file with the records that were written to disk */
  file: number | undefined
}

/**
 * Records the key of each row and finds the rows that a later row with the same key replaces (rules.md#duplicates).
 * Memory does not grow with the file: five million keys use 60 MB on disk and 3 MB in memory. Keys are compared by
 * 64-bit hashes: the chance that any two of five million collide is below one in a million.
 */
export class DuplicateIndex {
  private readonly folder: string
  private readonly heldWords: number
  private readonly hash = new KeyHash()
  private readonly parts: Part[] = []
  private tables: HashTable[] | undefined

  /** @param folder for records that do not fit into memory */
  constructor(folder: string, held = HELD) {
    this.folder = folder
    this.heldWords = held * WORDS
    for (let part = 0; part < PARTS; part += 1)
      this.parts.push({ held: new Uint32Array(FIRST_HELD * WORDS), used: 0, file: undefined })
  }

  /** Rows must be added in ascending order. */
  add(brandKey: string, articleKey: string, row: number): void {
    this.hash.of(brandKey, articleKey)
    const { high, low } = this.hash
    const index = high >>> PART_SHIFT
    const part = this.parts[index]
    if (!part) return
    if (part.used === part.held.length) this.makeRoom(part, index)
    part.held[part.used] = high
    part.held[part.used + 1] = low
    part.held[part.used + 2] = row
    part.used += WORDS
  }

  /**
   * Processes all keys; to be called once.
   * @param onDuplicate receives each row that a later row replaces
   * @param keepKeys whether `has` is called afterwards; the keys then stay in memory
   * @returns the number of different keys
   */
  findDuplicates(onDuplicate: (row: number) => void, keepKeys: boolean): number {
    let keys = 0
    let table = new HashTable()
    this.tables = keepKeys ? [] : undefined
    for (const part of this.parts) {
      for (const records of recordsOf(part)) {
        for (let at = 0; at < records.length; at += WORDS) {
          const before = table.add(records[at] ?? 0, records[at + 1] ?? 0, records[at + 2] ?? 0)
          if (before !== 0) onDuplicate(before)
        }
      }
      keys += table.size
      this.tables?.push(table)
      if (keepKeys) table = new HashTable()
      else table.clear()
    }
    return keys
  }

  /** Whether a row has the key. Requires `findDuplicates` with `keepKeys`. */
  has(brandKey: string, articleKey: string): boolean {
    this.hash.of(brandKey, articleKey)
    const { high, low } = this.hash
    return this.tables?.[high >>> PART_SHIFT]?.has(high, low) ?? false
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
