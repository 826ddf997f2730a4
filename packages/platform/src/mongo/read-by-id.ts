import type { Collection, Filter, FindOptions } from 'mongodb'

export interface IdRange {
  /** only documents with a higher `id` */
  after: number
  /** how many of these to leave out */
  skip?: number
  limit: number
}

/** Ids that the first query covers at least. */
const MIN_WINDOW = 128
/** With more ids than this, one query for the rest is not dearer. */
const MAX_WINDOW = 20_000
const GROWTH = 8

/**
 * Documents in the order of their integer `id`, which is indexed, unique and mostly without gaps.
 *
 * FerretDB orders by no index: the first 50 of 200,000 documents took 80 ms. So the first queries are limited to a
 * window of ids, which grows while too few documents are found in it; the last query has no upper limit.
 */
export async function* readById<T extends { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { after, skip = 0, limit }: IdRange,
  options: FindOptions = {},
): AsyncGenerator<T> {
  let from = after
  let skipped = skip
  let left = limit
  for (let width = Math.max(MIN_WINDOW, 2 * (skip + limit)); left > 0; width *= GROWTH) {
    const isLast = width > MAX_WINDOW
    const window = { $and: [filter, { id: isLast ? { $gt: from } : { $gt: from, $lte: from + width } }] } as Filter<T>
    const before = left
    const cursor = collection
      .find<T>(window, { ...options, batchSize: left + 1 })
      .sort({ id: 1 })
      .skip(skipped)
      .limit(left)
    for await (const document of cursor) {
      left -= 1
      yield document
    }
    if (isLast) return
    if (left < before) skipped = 0
    else if (skipped > 0) skipped -= Math.min(skipped, await collection.countDocuments(window, toCountOptions(options)))
    from += width
  }
}

/** The same as an array. */
export async function listById<T extends { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  range: IdRange,
  options: FindOptions = {},
): Promise<T[]> {
  const documents: T[] = []
  for await (const document of readById(collection, filter, range, options)) documents.push(document)
  return documents
}

function toCountOptions({ maxTimeMS }: FindOptions): { maxTimeMS?: number } {
  return maxTimeMS === undefined ? {} : { maxTimeMS }
}
