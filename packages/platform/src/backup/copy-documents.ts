import type { Db } from 'mongodb'
import { insertRaw } from '../mongo/raw-insert/insert-raw.js'
import { SchemaStore } from '../mongo/schema-store.js'
import { COUNTERS, type StoredDatabase, transientOf } from './backup-plan.js'

/** Documents and bytes of one insert. */
export const BATCH = 1_000
const BATCH_BYTES = 8 * 1024 * 1024

export interface DatabaseContents {
  schema_version: number | null
  /** documents by collection, in the order in which they are copied */
  collections: Record<string, number>
  counters: Record<string, number>
}

/** What a database has now, without what is not copied. */
export async function describeContents({ db, plan }: StoredDatabase): Promise<DatabaseContents> {
  const transient = transientOf(plan)
  // counters are never behind the ids that are stored
  const last = [...(plan.copiedLast ?? []), COUNTERS]
  const collections: Record<string, number> = {}
  const names = (await listCollections(db)).sort((one, other) => last.indexOf(one) - last.indexOf(other))
  for (const name of names)
    if (!transient.includes(name)) collections[name] = await db.collection(name).countDocuments()
  const schema_version = (await new SchemaStore(db).find())?.version ?? null
  return { schema_version, collections, counters: await readCounters(db) }
}

export async function readCounters(db: Db): Promise<Record<string, number>> {
  const counters = await db.collection<{ _id: string; value: number }>(COUNTERS).find().toArray()
  return Object.fromEntries(counters.map(({ _id, value }) => [_id, value]))
}

/** Collections of a database, without those of the server. */
export async function listCollections(db: Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort()
}

/** The documents of a collection in BSON. */
export function readDocuments({ db }: StoredDatabase, collection: string): AsyncIterable<Uint8Array> {
  const cursor = db.collection(collection).find({}, { raw: true, batchSize: BATCH })
  return cursor as unknown as AsyncIterable<Uint8Array>
}

/** Inserts documents in BSON. Those that are there already are left, so it may be repeated. */
export async function loadDocuments(
  { db }: StoredDatabase,
  collection: string,
  documents: AsyncIterable<Uint8Array>,
  onDocuments: (count: number) => void,
): Promise<void> {
  let group: Uint8Array[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (group.length === 0) return
    await insertRaw(db, collection, Buffer.concat(group))
    onDocuments(group.length)
    group = []
    bytes = 0
  }
  for await (const document of documents) {
    if (group.length >= BATCH || bytes + document.length > BATCH_BYTES) await flush()
    // a copy: the buffer it lies in is reused
    group.push(Buffer.from(document))
    bytes += document.length
  }
  await flush()
}
