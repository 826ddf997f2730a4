import { LRUCache } from 'lru-cache'
import type { BrandNames } from '../brand-synonyms/brand-names.js'
import type { NotedAnswer, StorageAnswer } from './storage-answer.js'

/** Rows in memory, about 500 bytes each, their serialized form included. */
const MAX_ROWS = 40_000
/** Weight of the answer of one storage besides its rows, and of a merged answer. */
const ANSWER_WEIGHT = 2
const MERGED_WEIGHT = 20

interface Entry<Row, Merged> {
  answers: ReadonlyArray<StorageAnswer<Row>>
  names: BrandNames
  merged: Merged
}

/**
 * Merged answers, for a query that is repeated while all its suppliers answer from the cache. A cached reply is never
 * changed, so replies, names of storages and synonym groups that are identical give the same result; it is merged again
 * as soon as one of them differs (docs/decisions/0011-search-caches.md).
 */
export class MergedAnswers<Row, Merged extends object> {
  private readonly entries = new LRUCache<string, Entry<Row, Merged>>({
    maxSize: MAX_ROWS,
    maxEntrySize: MAX_ROWS / 10,
    sizeCalculation: ({ answers }) =>
      answers.reduce((weight, { rows }) => weight + rows.length + ANSWER_WEIGHT, MERGED_WEIGHT),
  })

  /** @param key equal for equal queries */
  async merge(
    key: string,
    answers: ReadonlyArray<NotedAnswer<Row>>,
    names: BrandNames,
    merge: () => Promise<Merged>,
  ): Promise<Readonly<Merged>> {
    if (answers.length === 0 || !answers.every(({ isCached }) => isCached)) return merge()
    const known = this.entries.get(key)
    if (known && haveSameRows(known.answers, answers) && names.equals(known.names)) return known.merged
    const merged = await merge()
    // not the storages themselves: their settings would stay in memory
    const kept = answers.map(({ rows, outcome, storage: { id, name } }) => ({ rows, outcome, storage: { id, name } }))
    this.entries.set(key, { answers: kept, names, merged })
    return merged
  }
}

function haveSameRows<Row>(
  some: ReadonlyArray<StorageAnswer<Row>>,
  others: ReadonlyArray<StorageAnswer<Row>>,
): boolean {
  return (
    some.length === others.length &&
    some.every(({ rows, outcome, storage }, at) => {
      const other = others[at]
      return (
        other !== undefined &&
        rows === other.rows &&
        outcome === other.outcome &&
        storage.id === other.storage.id &&
        storage.name === other.storage.name
      )
    })
  )
}
