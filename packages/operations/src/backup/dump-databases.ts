import type { StoredDatabase } from '@partsbus/platform/backup/backup-plan'
import { describeContents } from '@partsbus/platform/backup/copy-documents'
import type { Databases } from './open-databases.js'
import type { ServiceName } from '@partsbus/contracts/diagnosis'
import { dumpCollection } from './documents.js'
import type { ListedFile, Manifest } from './manifest.js'

type DatabaseEntry = Manifest['databases'][number]

/** Those that refer first, then those that are referred to, as within each database. */
const ORDER: readonly ServiceName[] = ['administration', 'supplier-search', 'pricing-import', 'stock', 'catalog']

/** Dumps the databases through the driver. Nothing may write meanwhile. */
export async function dumpDatabases(
  databases: Databases,
  backup: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
): Promise<{ databases: DatabaseEntry[]; files: ListedFile[] }> {
  const found = await describeDatabases(databases)
  const total = found.flatMap(({ collections }) => Object.values(collections)).reduce((sum, each) => sum + each, 0)
  const files: ListedFile[] = []
  let done = 0
  for (const [index, database] of inOrder(databases).entries()) {
    const { collections = {} } = found[index] ?? {}
    for (const collection of Object.keys(collections)) {
      const dumped = await dumpCollection(database, collection, backup, (count) => {
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
export async function describeDatabases(databases: Databases): Promise<DatabaseEntry[]> {
  return Promise.all(inOrder(databases).map(describe))
}

function inOrder(databases: Databases): Array<StoredDatabase<ServiceName>> {
  return ORDER.flatMap((service) => databases.get(service) ?? [])
}

async function describe(database: StoredDatabase<ServiceName>): Promise<DatabaseEntry> {
  const { service, db } = database
  return { service, name: db.databaseName, ...(await describeContents(database)) }
}
