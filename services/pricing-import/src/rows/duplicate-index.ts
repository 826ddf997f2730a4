import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { KeyHash } from './key-hash.js'
import { HashTable } from './hash-table.js'

/** Keys are divided by their first bits; the parts are looked through one after another. */
const PARTS = 64
const PART_SHIFT = 26
/** high, low, row */
const WORDS = 3
/** Records of a part that are held before they are written out; a small file needs less. */
const HELD = 4_096
const FIRST_HELD = 64

interface Part {
  held: Uint32Array
  /** words in it */
  used: number
  /** file of the records that were written out before */
  file: number | undefined
}

/**
 * Notes the key of each row, and tells in the end which rows a later one with the same key beats. Memory does not grow with the
 * file: of five million keys 60 MB lie on disk and 3 MB in memory. Keys are told apart by 64 bits: two of five million meet with
 * a chance below one in a million.
 */
export class DuplicateIndex {
  private readonly folder: string
  private readonly heldWords: number
  private readonly hash = new KeyHash()
  private readonly parts: Part[] = []
  private tables: HashTable[] | undefined

  /** @param folder for what does not stay in memory */
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
   * Looks through all keys, once. @param beaten told each row that a later one beats
   * @param keep whether `has` is to be asked afterwards; the keys then stay in memory
   * @returns the number of different keys
   */
  settle(beaten: (row: number) => void, keep: boolean): number {
    let keys = 0
    let table = new HashTable()
    this.tables = keep ? [] : undefined
    for (const part of this.parts) {
      for (const records of recordsOf(part)) {
        for (let at = 0; at < records.length; at += WORDS) {
          const before = table.add(records[at] ?? 0, records[at + 1] ?? 0, records[at + 2] ?? 0)
          if (before !== 0) beaten(before)
        }
      }
      keys += table.size
      this.tables?.push(table)
      if (keep) table = new HashTable()
      else table.clear()
    }
    return keys
  }

  /** Whether a row has the key; after `settle` with `keep`. */
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

/** The records of a part in their order; the part is empty afterwards. */
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
