import type { deactivateProducts } from '@partsbus/contracts/catalog'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { BatchNote } from '../events/batch-note.js'
import type { NoteKind } from '../events/event-messages.js'
import type { Fields, ItemDocument } from './item-document.js'
import type { ItemStore } from './item-store.js'
import { newBatchId } from './new-batch-id.js'
import { writeItems } from './write-items.js'

/**
 * Deactivates the items with these ERP ids. One that is inactive already counts as deactivated, a repeated id counts
 * once, and `not_found` names those never seen (erp.md#delete-3).
 * @param inactive what must be written to a stored item; nothing when it is inactive already
 */
export async function deactivateItems<Doc extends ItemDocument>(
  ctx: CatalogContext,
  call: CallOf<typeof deactivateProducts>,
  target: { store: ItemStore<Doc>; kind: NoteKind; inactive: (stored: Doc) => Partial<Fields<Doc>> },
): Promise<ReplyOf<typeof deactivateProducts>> {
  const sent = call.body.ids_erp
  const keys = [...new Set(sent)]
  const known = await target.store.findByErpIds(keys)
  const note = new BatchNote(ctx, target.kind, newBatchId())
  const written = await writeItems(target.store, known, {
    batch: note.batch,
    keys,
    decide: (_key, stored) => {
      if (!stored) return { kind: 'same' }
      const changes = target.inactive(stored)
      return Object.keys(changes).length > 0 ? { kind: 'change', changes } : { kind: 'same' }
    },
    beforeWrite: (planned) => note.write(planned),
  })
  note.publishLater(written)
  return { requested: sent.length, deactivated: known.size, not_found: keys.filter((key) => !known.has(key)) }
}
