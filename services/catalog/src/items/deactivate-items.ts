import type { DeactivationRequest, DeactivationResult } from '@partsbus/contracts/result'
import type { Call } from '@partsbus/platform/bus/call'
import type { BatchEventKind } from '../events/event-messages.js'
import type { Fields, ItemDocument } from './item-document.js'
import type { ItemStore } from './item-store.js'
import type { ItemWriter } from './item-writer.js'

/** The part of a call that deactivating needs; a full sync deactivates too. */
export interface Deactivation extends Pick<Call<DeactivationRequest>, 'body' | 'details'> {
  /** leaves alone what this full sync has sent meanwhile */
  notSentIn?: string
}

/**
 * Deactivates the items with these ERP ids (erp.md#delete-3): an inactive one counts as deactivated, a repeated id
 * counts once, and `not_found` lists the ids that were never sent.
 * @param target.changes the fields to write to a stored item; none when it is inactive already
 */
export async function deactivateItems<Doc extends ItemDocument>(
  call: Deactivation,
  target: {
    store: ItemStore<Doc>
    writer: ItemWriter<Doc>
    kind: BatchEventKind
    /** large fields, which are not needed here */
    omit: readonly (keyof Doc)[]
    changes: (stored: Doc) => Partial<Fields<Doc>>
  },
): Promise<DeactivationResult> {
  const sent = call.body.ids_erp
  const keys = [...new Set(sent)]
  const stored = await target.store.findByErpIds(keys, target.omit)
  const outcomes = await target.writer.write({
    kind: target.kind,
    keys,
    stored,
    omit: target.omit,
    plan: (_key, item) => {
      const isSent = item?.full_sync !== undefined && item.full_sync === call.notSentIn
      const changes = item && !isSent ? target.changes(item) : {}
      const changed = Object.keys(changes)
      return changed.length > 0 ? { kind: 'update', changes, changed } : { kind: 'none' }
    },
  })
  const not_found = keys.filter((key) => !stored.has(key))
  const result = { requested: sent.length, deactivated: stored.size, not_found }
  if (!call.details) return result
  const missing = new Set(not_found)
  for (const [index, id] of sent.entries()) {
    if (!missing.has(id)) continue
    call.details.add(index, id, { code: 'not_found', message: 'It was never sent, so there is nothing to deactivate.' })
  }
  call.details.unchanged = [...outcomes.values()].filter(({ isWritten }) => !isWritten).length
  return { ...result, details: call.details.toReply() }
}
