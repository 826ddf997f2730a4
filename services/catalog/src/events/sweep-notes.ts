import type { OutboxEntry } from '@partsbus/platform/mongo/outbox-store'
import type { CatalogContext } from '../context.js'
import { type ItemDocument, MAX_BATCHES } from '../items/item-document.js'
import type { NotedItem } from './batch-note.js'
import { eventMessages, type NoteKind, type WrittenItem } from './event-messages.js'
import { publishMessages } from './publish-messages.js'

/** A batch may still be at work when its note is younger than this. */
const DUE_AFTER_MS = 5_000
/** After this long no batch is at work any more: what is not written now never will be. */
const ABANDONED_AFTER_MS = 120_000

/**
 * Publishes what killed or cut-off processes owed. An item is told of only when it carries the batch's id,
 * or was written by so many others since that the id may have been pushed out.
 */
export async function sweepNotes(
  ctx: CatalogContext,
  dueAfterMs = DUE_AFTER_MS,
  abandonedAfterMs = ABANDONED_AFTER_MS,
): Promise<void> {
  await ctx.outbox.relay({
    olderThanMs: dueAfterMs,
    failed: (err, { _id }) => ctx.parts.log.warn({ err, batch: _id }, 'event not published, will retry'),
    publish: async (note) => {
      const noted = JSON.parse(note.payload) as NotedItem[]
      const written = await writtenOf(ctx, note, noted)
      if (written.length < noted.length && note.ageMs < abandonedAfterMs) return false
      await publishMessages(ctx, eventMessages(note.kind as NoteKind, note._id, note.at, written))
      return true
    },
  })
}

async function writtenOf(ctx: CatalogContext, note: OutboxEntry, noted: NotedItem[]): Promise<WrittenItem[]> {
  const store = note.kind.startsWith('product') ? ctx.products : ctx.categories
  const docs = await store.marksOf(noted.map(([erpId]) => erpId))
  return noted.flatMap(([erpId, created, changed]) => {
    const doc = docs.get(erpId)
    return doc && isWrittenBy(doc, note) ? { id: doc.id, erp_id: erpId, created: created === 1, changed } : []
  })
}

function isWrittenBy(doc: Pick<ItemDocument, 'batches' | 'updated_at'>, note: OutboxEntry): boolean {
  return doc.batches.includes(note._id) || (doc.batches.length >= MAX_BATCHES && doc.updated_at >= note.at)
}
