import type { Collection, Filter } from 'mongodb'
import { matchRevisions } from './match-revisions.js'

/** A deletion that meets as many replacements has an unusual opponent. */
const ATTEMPTS = 20

/**
 * Deletes a document, whatever others do to it meanwhile. MongoDB 7.0 does not look again for a document that was
 * changed while it was being deleted: it stays, and nothing is counted as deleted.
 * @param accepted revisions that may be deleted; absent: any
 * @returns false when it is gone, or its revision is not accepted
 */
export async function deleteRevised<Document extends { _id: number }>(
  documents: Collection<Document>,
  id: number,
  accepted: readonly number[] | undefined,
  field = 'revision',
): Promise<boolean> {
  const filter = { _id: id, ...matchRevisions(accepted, field) } as unknown as Filter<Document>
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if ((await documents.deleteOne(filter)).deletedCount === 1) return true
    if ((await documents.countDocuments(filter, { limit: 1 })) === 0) return false
  }
  return false
}
