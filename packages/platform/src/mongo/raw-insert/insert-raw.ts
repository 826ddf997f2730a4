import { type Db, MongoServerError } from 'mongodb'
import { DocumentSequence } from 'mongodb/lib/cmap/commands.js'
import { DURABLE } from '../durable.js'

const DUPLICATE_KEY = 11_000

interface Inserted {
  writeErrors?: Array<{ index: number; code: number; errmsg?: string }>
}

/**
 * Inserts documents that are BSON already, without reading them again: `insertMany` takes objects only. Documents whose
 * `_id` is there already are left as they are, so it may be repeated. Unordered, majority, journal.
 * The driver has no public way for this; the one here is the one it sends its own bulk writes by (tried with 7.8.0).
 * @param documents one behind the other, together below 48 MB, each with its `_id`
 */
export async function insertRaw(db: Db, collection: string, documents: Uint8Array): Promise<void> {
  const sequence = new DocumentSequence('documents')
  sequence.push({}, documents)
  const { writeErrors = [] } = (await db.command({
    insert: collection,
    ordered: false,
    writeConcern: { w: DURABLE.w, j: DURABLE.journal, wtimeout: DURABLE.wtimeoutMS },
    documents: sequence,
  })) as Inserted
  const failed = writeErrors.find(({ code }) => code !== DUPLICATE_KEY)
  if (failed) throw new MongoServerError({ message: failed.errmsg ?? 'insert failed', code: failed.code })
}
