import { SKIPPED_IDS } from '../mongo/counter-store.js'
import { highestId } from '../mongo/highest-id.js'
import { RESTORES, type RestoreMark } from '../mongo/restore-mark.js'
import { COUNTERS, type StoredDatabase, type StoredDatabases, transientOf } from './backup-plan.js'
import { listCollections, readCounters } from './copy-documents.js'

const DAY_MS = 86_400_000

/** The highest ids of each service, by counter. */
export type UsedIds = ReadonlyMap<string, Record<string, number>>

interface CounterDocument {
  _id: string
  value: number
  /** the latest backup that raised it */
  restored_from?: string
}

/** Names the data that a restore would replace. */
export async function findData(databases: StoredDatabases): Promise<string[]> {
  const found: string[] = []
  for (const { service, db, plan } of databases.values())
    for (const name of plan.filled)
      if (await db.collection(name).findOne({}, { projection: { _id: 1 } })) found.push(`${name} of ${service}`)
  return found
}

/** Marks databases, which keeps services from starting, and deletes all else. The marks keep its counters. */
export async function emptyDatabases(databases: StoredDatabases, backup: string): Promise<void> {
  const used = await readUsedIds(databases)
  // all marks first: one database knows ids of another
  for (const { service, db } of databases.values()) {
    const mark = { backup, started_at: new Date(), counters: used.get(service) ?? {}, is_emptied: false }
    await db.collection<RestoreMark>(RESTORES).replaceOne({ _id: 'restore' }, mark, { upsert: true })
  }
  for (const { db } of databases.values()) {
    for (const name of await listCollections(db)) if (name !== RESTORES) await db.dropCollection(name)
    await db.collection<RestoreMark>(RESTORES).updateOne({ _id: 'restore' }, { $set: { is_emptied: true } })
  }
}

export async function readMark({ db }: StoredDatabase): Promise<RestoreMark | undefined> {
  return (await db.collection<RestoreMark>(RESTORES).findOne({ _id: 'restore' })) ?? undefined
}

export async function removeMarks(databases: StoredDatabases): Promise<void> {
  for (const { db } of databases.values()) await db.dropCollection(RESTORES)
}

/** What is allocated now, and what was before an interrupted restore. */
export async function readUsedIds(databases: StoredDatabases): Promise<UsedIds> {
  const used = new Map(
    await Promise.all([...databases].map(async ([service, each]) => [service, await readHighest(each)] as const)),
  )
  // one database alone may have been restored to a moment before those that refer to it
  for (const { db, plan } of databases.values())
    for (const { service, counter, collection, field } of plan.foreignIds ?? [])
      raise(used.get(service) ?? {}, counter, await highestId(db.collection(collection), field))
  return used
}

/** Of each counter: its value, the highest stored id where it was lost, or what was before an interrupted restore. */
async function readHighest(database: StoredDatabase): Promise<Record<string, number>> {
  const { db, plan } = database
  const highest = { ...(await readMark(database))?.counters }
  for (const [name, value] of Object.entries(await readCounters(db))) raise(highest, name, value)
  for (const [name, collection, field] of plan.counters)
    raise(highest, name, await highestId(db.collection(collection), field))
  return highest
}

function raise(highest: Record<string, number>, name: string, value: number): void {
  if (value > 0) highest[name] = Math.max(value, highest[name] ?? 0)
}

/**
 * Makes restored databases safe to start: counters skip the ids of the lost time, what was not copied is emptied, and
 * the changes of the services are made. It may be repeated.
 * @param used highest ids that the replaced data had allocated (rules.md#restored-ids)
 */
export async function finishRestore(
  databases: StoredDatabases,
  backup: { id: string; moment: { until: string } },
  used: UsedIds,
): Promise<void> {
  for (const database of databases.values()) await raiseCounters(database, backup, used.get(database.service) ?? {})
  for (const { db, plan } of databases.values())
    for (const name of transientOf(plan)) await db.collection(name).deleteMany({})
  for (const { db, plan } of databases.values())
    for (const { collection, filter, update } of plan.afterRestore ?? [])
      await db.collection(collection).updateOne(filter, update)
}

/*
 * Ids that were allocated after the backup are known outside, so they must not be allocated to something else. Where
 * the replaced data is lost, an earlier restore is not known; it skipped fewer ids.
 */
async function raiseCounters(
  { db }: StoredDatabase,
  { id, moment }: { id: string; moment: { until: string } },
  used: Record<string, number>,
): Promise<void> {
  const counters = db.collection<CounterDocument>(COUNTERS)
  const restored = await counters.find().toArray()
  const days = Math.max(0, Date.now() - Date.parse(moment.until)) / DAY_MS
  for (const name of new Set([...restored.map(({ _id }) => _id), ...Object.keys(used)])) {
    const { value = 0, restored_from } = restored.find(({ _id }) => _id === name) ?? {}
    if (restored_from === id) continue
    const raised = Math.max(value + SKIPPED_IDS + Math.floor(days * SKIPPED_IDS), used[name] ?? 0)
    await counters.updateOne({ _id: name }, { $set: { value: raised, restored_from: id } }, { upsert: true })
  }
}
