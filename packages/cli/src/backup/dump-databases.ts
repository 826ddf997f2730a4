import type { Db } from 'mongodb'
import { SchemaStore } from '@partsbus/platform/mongo/schema-store'
import type { Databases } from './open-databases.js'
import type { ServiceName } from '@partsbus/contracts/diagnosis'
import { dumpCollection, listCollections } from './documents.js'
import type { ListedFile, Manifest } from './manifest.js'

type DatabaseEntry = Manifest['databases'][number]

/** Entries of running processes, and sessions that a restore would end: neither dumped nor counted. */
export const VOLATILE: ReadonlySet<string> = new Set(['gateways', 'processes', 'sessions'])

/**
 * Those that refer first, then those that are referred to, so that a document that slips in during the dump misses
 * nothing that it refers to.
 */
const LAST: readonly string[] = [
  'supplies',
  'pick_up_points',
  'storages',
  'price_lists',
  'skipped_rows',
  'import_tasks',
  'offers',
  'files',
  'price_files.files',
  'price_files.chunks',
  'media_sets',
  'products',
  'categories',
  'media_sources',
  'media',
  'media.files',
  'media.chunks',
  // never behind the ids that are stored
  'counters',
]
const ORDER: readonly ServiceName[] = ['administration', 'supplier-search', 'pricing-import', 'stock', 'catalog']

/** Dumps the databases through the driver. Nothing may write meanwhile. */
export async function dumpDatabases(
  { of }: Databases,
  backup: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
): Promise<{ databases: DatabaseEntry[]; files: ListedFile[] }> {
  const found = await Promise.all(ORDER.flatMap((service) => describeIfNamed(service, of.get(service))))
  const total = found.flatMap(({ collections }) => Object.values(collections)).reduce((sum, each) => sum + each, 0)
  const files: ListedFile[] = []
  let done = 0
  for (const { service, collections } of found) {
    const db = of.get(service)
    for (const collection of db ? Object.keys(collections) : []) {
      const dumped = await dumpCollection(db as Db, collection, backup, (count) => {
        signal.throwIfAborted()
        done += count
        onProgress(done, total)
      })
      collections[collection] = dumped.documents
      files.push(dumped.file)
    }
  }
  return { databases: found, files }
}

/** What the databases contain now. */
export async function describeDatabases({ of }: Databases): Promise<DatabaseEntry[]> {
  return Promise.all(ORDER.flatMap((service) => describeIfNamed(service, of.get(service))))
}

function describeIfNamed(service: ServiceName, db: Db | undefined): Array<Promise<DatabaseEntry>> {
  return db ? [describe(service, db)] : []
}

async function describe(service: ServiceName, db: Db): Promise<DatabaseEntry> {
  const collections: Record<string, number> = {}
  const names = (await listCollections(db)).sort((one, other) => LAST.indexOf(one) - LAST.indexOf(other))
  for (const name of names) if (!VOLATILE.has(name)) collections[name] = await db.collection(name).countDocuments()
  const counters = await db.collection<{ _id: string; value: number }>('counters').find().toArray()
  return {
    service,
    name: db.databaseName,
    schema_version: (await new SchemaStore(db).find())?.version ?? null,
    collections,
    counters: Object.fromEntries(counters.map(({ _id, value }) => [_id, value])),
  }
}
