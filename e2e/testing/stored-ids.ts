import type { MongoClient } from 'mongodb'
import { collectionOf } from './stored-references.js'

/** Each counter, and where the ids are that it gave. */
const KINDS = {
  'gateway administrators': ['gateway.administrators', '_id'],
  'catalog product': ['catalog.products', 'id'],
  'catalog category': ['catalog.categories', 'id'],
  'catalog media': ['catalog.media', '_id'],
  'catalog media_jobs': ['catalog.media_sets', 'images.id'],
  'stock supplies': ['stock.supplies', 'id'],
  'stock storages': ['stock.storages', '_id'],
  'stock pick_up_points': ['stock.pick_up_points', '_id'],
  'pricing_import price_lists': ['pricing_import.price_lists', '_id'],
  'pricing_import import_tasks': ['pricing_import.import_tasks', '_id'],
  'pricing_import files': ['pricing_import.files', '_id'],
  'supplier_search brand_synonyms': ['supplier_search.brand_synonyms', '_id'],
} as const

export type IdsByKind = Map<string, Set<number>>

/** The ids that are stored, by the counter that gave them. */
export async function readStoredIds(client: MongoClient): Promise<IdsByKind> {
  const ids: IdsByKind = new Map()
  for (const [kind, [name, field]] of Object.entries(KINDS))
    ids.set(kind, new Set((await collectionOf(client, name).distinct(field)) as number[]))
  return ids
}

/** The last id that each counter of the databases gave. */
export async function readCounters(client: MongoClient): Promise<Map<string, number>> {
  const counters = new Map<string, number>()
  for (const service of ['gateway', 'catalog', 'stock', 'pricing_import', 'supplier_search'])
    for (const { _id, value } of await collectionOf(client, `${service}.counters`).find().toArray())
      counters.set(`${service} ${String(_id)}`, Number(value))
  return counters
}

/** @returns the kinds of which an id may be given again, with both numbers; a kind without a counter, or without ids */
export function findRepeatable(counters: ReadonlyMap<string, number>, known: readonly IdsByKind[]): string[] {
  const problems = [...counters.keys()].filter((kind) => !(kind in KINDS)).map((kind) => `${kind} is not known`)
  for (const kind of Object.keys(KINDS)) {
    const ids = known.flatMap((each) => [...(each.get(kind) ?? [])])
    const [highest, last] = [Math.max(0, ...ids), counters.get(kind) ?? 0]
    if (highest === 0 || last < highest) problems.push(`${kind}: the counter is ${last}, the highest id ${highest}`)
  }
  return problems
}
