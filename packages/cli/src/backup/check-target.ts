import { highestId } from '@partsbus/platform/mongo/highest-id'
import { RESTORES, type RestoreMark } from '@partsbus/platform/mongo/restore-mark'
import type { Db, Document } from 'mongodb'
import { CommandFailed } from '../exit-codes.js'
import type { Databases } from './open-databases.js'
import type { ServiceName } from '@partsbus/contracts/diagnosis'
import type { Manifest } from './manifest.js'
import { listRunning, nameServices } from './running-processes.js'

/** Collections that a fresh installation has not filled yet. */
const DATA: Record<ServiceName, readonly string[]> = {
  administration: ['administrators'],
  catalog: ['products', 'categories', 'media'],
  stock: ['supplies', 'storages', 'pick_up_points'],
  'pricing-import': ['price_lists', 'offers', 'import_tasks', 'files'],
  'supplier-search': ['brand_synonyms'],
}

/** Counter → collection and field of the ids that were allocated from it: it may be lost, and no service runs. */
const COUNTERS: Record<ServiceName, ReadonlyArray<readonly [counter: string, collection: string, field: string]>> = {
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

/**
 * Prepares databases for a restore and marks each as begun. A restore of the same backup that was interrupted goes on.
 * The marks keep the counters of what is deleted, and keep services from starting.
 * @throws CommandFailed when services run, or when there is data and `isReplacing` is false
 */
export async function beginRestore(databases: Databases, { id }: Manifest, isReplacing: boolean): Promise<void> {
  const running = await listRunning(databases)
  if (running.length > 0)
    throw new CommandFailed(`The services are running: ${nameServices(running)}. Stop them, and the bus, first.`)
  const marks = await Promise.all([...databases.of.values()].map(readMark))
  if (marks.every((mark) => mark?.backup === id && mark.is_emptied)) return
  const begun = marks.filter((mark) => mark !== undefined)
  const isOurs = begun.length > 0 && begun.every(({ backup }) => backup === id)
  const found = begun.length > 0 && !isOurs ? ['an unfinished restore of another backup'] : await findData(databases)
  if (found.length > 0 && !isReplacing)
    throw new CommandFailed(`The installation has data: ${found.join(', ')}. --replace deletes it first.`)
  const used = await readUsedIds(databases)
  // all marks first: the stock knows ids of the catalog
  for (const [service, db] of databases.of) {
    const mark = { backup: id, started_at: new Date(), counters: used.get(service) ?? {}, is_emptied: false }
    await db.collection<RestoreMark>(RESTORES).replaceOne({ _id: 'restore' }, mark, { upsert: true })
  }
  for (const db of databases.of.values()) await empty(db)
}

/** Deletes all but the mark, which has the counters of what is deleted. */
async function empty(db: Db): Promise<void> {
  const marks = db.collection<RestoreMark>(RESTORES)
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    if (!name.startsWith('system.') && name !== RESTORES) await db.dropCollection(name)
  await marks.updateOne({ _id: 'restore' }, { $set: { is_emptied: true } })
}

/** Of each counter: its value, the highest stored id where it was lost, or what was before an interrupted restore. */
async function readHighest(service: ServiceName, db: Db): Promise<Record<string, number>> {
  const highest = { ...(await readMark(db))?.counters }
  const raise = (name: string, value: number): void => {
    if (value > 0) highest[name] = Math.max(value, highest[name] ?? 0)
  }
  for (const { _id, value } of await db.collection<{ _id: string; value: number }>('counters').find().toArray())
    raise(_id, value)
  for (const [name, collection, field] of COUNTERS[service])
    raise(name, await highestId(db.collection(collection), field))
  return highest
}

async function readMark(db: Db): Promise<RestoreMark | undefined> {
  return (await db.collection<RestoreMark>(RESTORES).findOne({ _id: 'restore' })) ?? undefined
}

/** The highest ids of each service, by counter. */
export type UsedIds = ReadonlyMap<ServiceName, Record<string, number>>

/** What is allocated now, and what was before an interrupted restore. */
export async function readUsedIds({ of }: Databases): Promise<UsedIds> {
  const used = new Map(
    await Promise.all([...of].map(async ([service, db]) => [service, await readHighest(service, db)] as const)),
  )
  const [catalog, stock] = [used.get('catalog'), of.get('stock')]
  // the catalog alone may have been restored to a moment before the stock
  const product = stock && (await highestId(stock.collection('supplies'), 'product_id'))
  if (catalog && product) catalog.product = Math.max(product, catalog.product ?? 0)
  return used
}

export async function endRestore({ of }: Databases): Promise<void> {
  for (const db of of.values()) await db.dropCollection(RESTORES)
}

async function findData({ of }: Databases): Promise<string[]> {
  const found: string[] = []
  for (const [service, db] of of)
    for (const name of DATA[service]) {
      const one = await db.collection<Document>(name).findOne({}, { projection: { _id: 1 } })
      if (one) found.push(`${name} of ${service}`)
    }
  return found
}
