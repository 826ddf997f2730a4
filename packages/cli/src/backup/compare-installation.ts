import { BSON, type Db, type Document } from 'mongodb'
import type { Databases } from './open-databases.js'
import { documentsPath, readDump } from './documents.js'
import type { Manifest } from './manifest.js'

/** Every restore, or every request, changes these, so a difference is no defect. */
const UNCOMPARED: ReadonlySet<string> = new Set([
  'counters',
  'settings',
  'outbox',
  'leases',
  'restores',
  'latest_times',
  'door_statistics',
  'supplier_states',
  'supplier_statistics',
])
const BATCH = 500
const NAMED = 20

export interface Difference {
  /** like `catalog products` */
  collection: string
  /** extended JSON */
  id: string
  /** `missing`, or the fields that differ */
  fields: string[] | 'missing'
}

export interface Comparison {
  counts: Array<{ collection: string; backup: number; installation: number }>
  compared: number
  /** the first ones */
  differences: Difference[]
  different: number
}

/**
 * Compares a backup with an installation: counts of all collections and the fields of sampled documents.
 * @param sample compared documents of each collection, spread evenly; all of a collection that has fewer
 */
export async function compareInstallation(
  folder: string,
  { databases: backedUp, are_counts_exact: areExact }: Manifest,
  { of }: Databases,
  { sample, onCompared }: { sample: number; onCompared: (count: number) => void },
): Promise<Comparison> {
  const result: Comparison = { counts: [], compared: 0, differences: [], different: 0 }
  for (const database of backedUp) {
    const db = of.get(database.service)
    for (const [name, listed] of db ? Object.entries(database.collections) : []) {
      if (UNCOMPARED.has(name)) continue
      const collection = `${database.service} ${name}`
      const step = Math.max(1, Math.ceil(listed / sample))
      let count = 0
      let batch: Uint8Array[] = []
      const flush = async (): Promise<void> => {
        for (const { id, fields } of await compareBatch(db as Db, name, batch)) {
          result.different += 1
          if (result.differences.length < NAMED) result.differences.push({ collection, id, fields })
        }
        result.compared += batch.length
        onCompared(result.compared)
        batch = []
      }
      for await (const document of readDump(folder, documentsPath(database.name, name))) {
        if (count % step === 0) batch.push(Buffer.from(document))
        count += 1
        if (batch.length >= BATCH) await flush()
      }
      await flush()
      const installation = await (db as Db).collection(name).countDocuments()
      const backup = areExact ? listed : count
      if (installation !== backup) result.counts.push({ collection, backup, installation })
    }
  }
  return result
}

type Found = Pick<Difference, 'id' | 'fields'>

async function compareBatch(db: Db, name: string, documents: readonly Uint8Array[]): Promise<Found[]> {
  if (documents.length === 0) return []
  // as they are stored: 64-bit integers and binaries would lose their type
  const options = { promoteLongs: false, promoteBuffers: false, promoteValues: false }
  const expected = documents.map((document) => BSON.deserialize(document, options))
  const stored = await db
    .collection<Document>(name)
    .find({ _id: { $in: expected.map(({ _id }) => _id as unknown) } } as Document, options)
    .toArray()
  const byId = new Map(stored.map((document) => [toText(document._id), document]))
  return expected.flatMap((document): Found[] => {
    const id = toText(document._id)
    const present = byId.get(id)
    if (!present) return [{ id, fields: 'missing' }]
    const names = new Set([...Object.keys(document), ...Object.keys(present)])
    const fields = [...names].filter((field) => toText(document[field]) !== toText(present[field]))
    return fields.length === 0 ? [] : [{ id, fields }]
  })
}

function toText(value: unknown): string {
  return BSON.EJSON.stringify({ value }, { relaxed: false })
}
