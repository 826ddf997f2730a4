import { BSON, type Document } from 'mongodb'
import { RESTORES } from '../mongo/restore-mark.js'
import { COUNTERS, type StoredDatabase } from './backup-plan.js'

/** Every restore, or every request, changes these. */
const CHANGING: readonly string[] = [COUNTERS, RESTORES, 'outbox', 'leases', 'latest_times']

export interface DocumentDifference {
  /** extended JSON */
  id: string
  /** `missing`, or the fields that differ */
  fields: string[] | 'missing'
}

/** Whether a difference in this collection would be a defect. */
export function isComparable({ plan }: StoredDatabase, collection: string): boolean {
  return !CHANGING.includes(collection) && plan.changing?.includes(collection) !== true
}

export async function countDocuments({ db }: StoredDatabase, collection: string): Promise<number> {
  return db.collection(collection).countDocuments()
}

/** Compares documents in BSON, field by field, with those that are stored. */
export async function compareDocuments(
  { db }: StoredDatabase,
  collection: string,
  documents: readonly Uint8Array[],
): Promise<DocumentDifference[]> {
  if (documents.length === 0) return []
  // as they are stored: 64-bit integers and binaries would lose their type
  const options = { promoteLongs: false, promoteBuffers: false, promoteValues: false }
  const expected = documents.map((document) => BSON.deserialize(document, options))
  const stored = await db
    .collection<Document>(collection)
    .find({ _id: { $in: expected.map(({ _id }) => _id as unknown) } } as Document, options)
    .toArray()
  const byId = new Map(stored.map((document) => [toText(document._id), document]))
  return expected.flatMap((document): DocumentDifference[] => {
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
