import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import type { Db } from 'mongodb'
import type { Diagnosis } from './finding.js'
import type { ServiceName } from './services.js'

/** Counter → collection and field of the ids that were allocated from it. */
export const COUNTERS: Partial<Record<ServiceName, Array<[counter: string, collection: string, field: string]>>> = {
  administration: [['administrators', 'administrators', '_id']],
  catalog: [
    ['product', 'products', 'id'],
    ['category', 'categories', 'id'],
    ['media', 'media', '_id'],
  ],
  stock: [
    ['supplies', 'supplies', 'id'],
    ['storages', 'storages', '_id'],
    ['pick_up_points', 'pick_up_points', '_id'],
  ],
  'pricing-import': [
    ['import_tasks', 'import_tasks', '_id'],
    ['price_lists', 'price_lists', '_id'],
    ['files', 'files', '_id'],
  ],
  'supplier-search': [['brand_synonyms', 'brand_synonyms', '_id']],
}

/** A counter behind the stored ids would allocate an id twice (rules.md#restored-ids). */
export async function checkCounters(service: ServiceName, db: Db): Promise<Diagnosis[]> {
  const counters = new CounterStore(db.collection('counters'))
  const found: Diagnosis[] = []
  for (const [counter, collection, field] of COUNTERS[service] ?? []) {
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
export async function checkDuplicateIds(service: ServiceName, db: Db): Promise<Diagnosis[]> {
  const found: Diagnosis[] = []
  for (const [, collection, field] of COUNTERS[service] ?? []) {
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
      advice: 'What refers to them by id, such as stock, is mixed. Restore a backup from before.',
    })
  }
  return found
}

/** The catalog must not allocate the id of a product that only the stock remembers. */
export async function checkProductCounter(catalog: Db, stock: Db): Promise<Diagnosis[]> {
  const counters = new CounterStore(catalog.collection('counters'))
  const [last, highest] = [await counters.last('product'), await highestId(stock.collection('supplies'), 'product_id')]
  if (last >= highest) return []
  return [
    {
      code: 'product-counter-behind-stock',
      severity: 'error',
      message: `The catalog allocated product ids up to ${last}, and a supply refers to product ${highest}.`,
      advice: 'The catalog is older than the stock. Restart the catalog, or run partsbus doctor --fix.',
      fix: () => counters.raiseAbove('product', highest),
    },
  ]
}
