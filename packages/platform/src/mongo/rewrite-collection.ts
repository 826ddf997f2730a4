import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Document, Filter } from 'mongodb'
import { retryConflicts } from './errors.js'
import type { Rewrite } from './migration.js'

/** How far a collection has been rewritten, in the order of `_id`. */
export interface RewriteProgress {
  /** the last `_id` that was read */
  after: unknown
  read: number
  changed: number
  is_complete: boolean
}

export interface RewriteOptions {
  batchSize: number
  signal: AbortSignal
  load(): Promise<RewriteProgress | undefined>
  save(progress: RewriteProgress): Promise<void>
}

const LONGEST_PAUSE_MS = 1_000
/** A document that others change this often between a read and a write is a defect of the migration. */
const MAX_ATTEMPTS = 50

/**
 * Changes all documents of a collection, `batchSize` at a time in the order of `_id`, all of which have one type. After
 * each batch it pauses as long as the batch took, so it never uses more than half of one connection's time.
 */
export async function rewriteCollection(
  collection: Collection<Document>,
  step: Rewrite,
  { batchSize, signal, load, save }: RewriteOptions,
): Promise<RewriteProgress> {
  let progress = (await load()) ?? { after: null, read: 0, changed: 0, is_complete: false }
  while (!progress.is_complete) {
    signal.throwIfAborted()
    const begun = performance.now()
    const { after, read, changed } = progress
    const documents = await collection
      .find(after === null ? {} : ({ _id: { $gt: after } } as Filter<Document>))
      .project(projection(step))
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray()
    progress = {
      after: documents.at(-1)?._id ?? after,
      read: read + documents.length,
      changed: changed + (await changeAll(collection, documents, step)),
      is_complete: documents.length < batchSize,
    }
    await save(progress)
    if (!progress.is_complete) await sleep(Math.min(performance.now() - begun, LONGEST_PAUSE_MS))
  }
  return progress
}

/** @returns how many documents were changed */
async function changeAll(
  collection: Collection<Document>,
  documents: readonly Document[],
  step: Rewrite,
): Promise<number> {
  let changed = 0
  let pending = documents
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const updates = pending.flatMap((document) => {
      const update = step.change(document)
      return update ? [{ updateOne: { filter: unchanged(document, step), update } }] : []
    })
    if (updates.length === 0) return changed
    const { matchedCount } = await retryConflicts(() => collection.bulkWrite(updates, { ordered: false }))
    changed += matchedCount
    if (matchedCount === updates.length) return changed
    // some were changed or deleted after they had been read
    const ids = updates.map(({ updateOne }) => updateOne.filter._id)
    pending = await collection
      .find({ _id: { $in: ids } } as Filter<Document>)
      .project(projection(step))
      .toArray()
  }
  throw new Error(`documents of ${collection.collectionName} still need their change after ${MAX_ATTEMPTS} attempts`)
}

/** Matches the document while the fields that were read have the same values. */
function unchanged(document: Document, { reads }: Rewrite): Filter<Document> {
  const fields = reads.map((field) => [field, field in document ? { $eq: document[field] } : { $exists: false }])
  return { _id: document._id, ...Object.fromEntries(fields) }
}

function projection({ reads }: Rewrite): Record<string, 1> {
  return { _id: 1, ...Object.fromEntries(reads.map((field) => [field, 1])) }
}
