import type { Document } from 'mongodb'
import { CommandFailed } from '../exit-codes.js'
import type { Databases } from '../doctor/open-databases.js'
import type { ServiceName } from '../doctor/services.js'
import type { Manifest } from './manifest.js'
import { isServing } from './pause-writes.js'

/** Collections that a fresh installation has not filled yet. */
const DATA: Record<ServiceName, readonly string[]> = {
  gateway: ['administrators'],
  catalog: ['products', 'categories', 'media'],
  stock: ['supplies', 'storages', 'pick_up_points'],
  'pricing-import': ['price_lists', 'offers', 'import_tasks', 'files'],
  'supplier-search': ['brand_synonyms'],
}

/** A restore that began and has not ended, in the database of the gateway. Only that backup may continue. */
const NAME = 'restores'

interface RestoreDocument {
  _id: 'restore'
  backup: string
  started_at: Date
}

/**
 * Prepares databases for a restore and marks it as begun. A restore of the same backup that was interrupted goes on.
 * @throws CommandFailed when services run, or when there is data and `isReplacing` is false
 */
export async function beginRestore(databases: Databases, { id }: Manifest, isReplacing: boolean): Promise<void> {
  if (await isServing(databases)) throw new CommandFailed('The services are running. Stop them, and the bus, first.')
  const restores = databases.of.get('gateway')?.collection<RestoreDocument>(NAME)
  const begun = await restores?.findOne({ _id: 'restore' })
  if (begun?.backup === id) return
  const found = begun ? ['an unfinished restore of another backup'] : await findData(databases)
  if (found.length > 0 && !isReplacing)
    throw new CommandFailed(`The installation has data: ${found.join(', ')}. --replace deletes it first.`)
  // unmarked until they are empty: another run of an interrupted one finds data, and asks again
  for (const db of databases.of.values())
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
      if (!name.startsWith('system.') && name !== NAME) await db.dropCollection(name)
  await restores?.replaceOne({ _id: 'restore' }, { backup: id, started_at: new Date() }, { upsert: true })
}

export async function endRestore({ of }: Databases): Promise<void> {
  await of.get('gateway')?.dropCollection(NAME)
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
