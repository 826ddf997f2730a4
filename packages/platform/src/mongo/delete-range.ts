import { retryConflicts } from './errors.js'
import type { Collection, Filter } from 'mongodb'

const DELETED_AT_ONCE = 10_000

/** Deletes a range of ids in parts, so that no lock is held for long. @param which of the documents of the range */
export async function deleteRange<Stored extends { _id: number }>(
  collection: Collection<Stored>,
  ids: { $gte: number; $lt: number },
  which: Filter<Stored> = {},
): Promise<void> {
  const range = ($gte: number, $lt: number) => ({ _id: { $gte, $lt } }) as Filter<Stored>
  for (let from = ids.$gte; ;) {
    const [next] = await collection
      .find(range(from, ids.$lt))
      .sort({ _id: 1 })
      .skip(DELETED_AT_ONCE)
      .limit(1)
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    const to = next?._id ?? ids.$lt
    const part = { ...which, ...range(from, to) }
    await retryConflicts(() => collection.deleteMany(part))
    if (!next) return
    from = to
  }
}
