import type { Collection, Document, Filter } from 'mongodb'

/**
 * The highest integer id in a collection, 0 when it is empty: for `CounterStore.startAbove`.
 * @param known a stored id, best the highest one of an earlier call: FerretDB sorts only the ids from there on
 */
export async function highestId<T extends Document>(
  collection: Pick<Collection<T>, 'findOne'>,
  field = '_id',
  known = 0,
): Promise<number> {
  const filter = (known > 0 ? { [field]: { $gte: known } } : {}) as Filter<T>
  const highest = await collection.findOne(filter, { sort: { [field]: -1 }, projection: { _id: 0, [field]: 1 } })
  // nothing: the documents were deleted, for example to restore them from a backup
  if (!highest && known > 0) return highestId(collection, field)
  return typeof highest?.[field] === 'number' ? highest[field] : 0
}
