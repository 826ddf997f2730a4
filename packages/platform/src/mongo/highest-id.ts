import type { Collection, Document } from 'mongodb'

/** The highest integer id in a collection, 0 when it is empty: for `CounterStore.raiseTo` at start. */
export async function highestId<T extends Document>(collection: Collection<T>, field = '_id'): Promise<number> {
  const highest = await collection.findOne({}, { sort: { [field]: -1 }, projection: { _id: 0, [field]: 1 } })
  return typeof highest?.[field] === 'number' ? highest[field] : 0
}
