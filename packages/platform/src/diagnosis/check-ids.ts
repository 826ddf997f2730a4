import type { Db } from 'mongodb'
import { CounterStore } from '../mongo/counter-store.js'
import { highestId } from '../mongo/highest-id.js'
import type { RepairableFinding } from './finding.js'

/** A counter, and the collection and field of the ids that were allocated from it. */
export type CounterUse = readonly [counter: string, collection: string, field: string]

/** A counter behind the stored ids would allocate an id twice (rules.md#restored-ids). */
export async function checkCounters(
  service: string,
  db: Db,
  uses: readonly CounterUse[],
): Promise<RepairableFinding[]> {
  const counters = new CounterStore(db.collection('counters'))
  const found: RepairableFinding[] = []
  for (const [counter, collection, field] of uses) {
    const [last, highest] = [await counters.last(counter), await highestId(db.collection(collection), field)]
    if (last >= highest) continue
    found.push({
      code: 'counter-behind',
      severity: 'error',
      message: `The counter ${counter} of ${service} is ${last}, and ${collection} has the id ${highest}.`,
      advice: 'Restart the service, which raises its counters, or run partsbus doctor --fix.',
      fix: () => counters.raiseAbove(counter, highest),
    })
  }
  return found
}

/** At most this many ids are named. */
const NAMED = 5

/** The indexes of these ids are plain, so that nothing but the counter prevents that two documents get one id. */
export async function checkDuplicateIds(
  service: string,
  db: Db,
  uses: readonly CounterUse[],
): Promise<RepairableFinding[]> {
  const found: RepairableFinding[] = []
  for (const [, collection, field] of uses) {
    if (field === '_id') continue
    const twice = await db
      .collection(collection)
      .aggregate<{ _id: number; count: number }>(
        [{ $group: { _id: `$${field}`, count: { $sum: 1 } } }, { $match: { count: { $gt: 1 } } }, { $limit: NAMED }],
        { allowDiskUse: true },
      )
      .toArray()
    if (twice.length === 0) continue
    const ids = twice.map(({ _id }) => _id).toSorted((a, b) => a - b)
    found.push({
      code: 'duplicate-id',
      severity: 'error',
      message: `Several documents of ${collection} in ${service} have one id, for example ${ids.join(', ')}.`,
      advice: 'What refers to them by id is mixed. Restore a backup from before.',
    })
  }
  return found
}
