import { categoryDeactivated, categoryUpserted, productDeactivated, productRestored, productUpserted } from '@partsbus/contracts/events'
import type { Written } from '../items/write-items.js'

/** What a batch did, as its note says. */
export type NoteKind = 'category.upserted' | 'category.deactivated' | 'product.upserted' | 'product.deactivated'

export type WrittenItem = Written & { erp_id: string }

type CatalogEvent = typeof categoryUpserted | typeof categoryDeactivated | typeof productUpserted | typeof productDeactivated | typeof productRestored

/** One message for the stream; repeated with the same `id` and items it is the same message. */
export interface EventMessage {
  event: CatalogEvent
  payload: { batch: string; at: string; items: Array<{ id: number; erp_id: string; created: boolean; changed: string[] }> }
  id: string
}

/** Room for the head of a message and its headers below the stream's 1 MiB. */
const MAX_MESSAGE_BYTES = 1_000_000
const HEAD_BYTES = 1_000

/** Names by which the outside knows stored fields; those left out are made from others. */
const publicNames: Record<string, string | undefined> = {
  article_key: undefined, category_erp_ids: 'categories', parent_erp_id: 'parent_id', pending_parent_erp_id: undefined,
}

/** The messages that tell of what a batch wrote, each at most 1 MiB (contracts, "Facts on the stream EVENTS"). */
export function eventMessages(kind: NoteKind, batch: string, at: Date, items: readonly WrittenItem[]): EventMessage[] {
  const told = items.map(({ id, erp_id, created, changed }) => ({ id, erp_id, created, changed: publicChanges(changed) }))
  const messages = split(events[kind], batch, at, told)
  if (kind !== 'product.upserted') return messages
  const restored = new Set(items.filter(({ changed }) => changed.includes('deleted_at')).map(({ id }) => id))
  return [...messages, ...split(productRestored, batch, at, told.filter(({ id }) => restored.has(id)))]
}

const events: Record<NoteKind, CatalogEvent> = {
  'category.upserted': categoryUpserted,
  'category.deactivated': categoryDeactivated,
  'product.upserted': productUpserted,
  'product.deactivated': productDeactivated,
}

function publicChanges(changed: string[]): string[] {
  return changed.flatMap((name) => (name in publicNames ? publicNames[name] ?? [] : name))
}

function split(event: CatalogEvent, batch: string, at: Date, items: EventMessage['payload']['items']): EventMessage[] {
  const messages: EventMessage[] = []
  let part: EventMessage['payload']['items'] = []
  let bytes = HEAD_BYTES
  const close = (): void => {
    if (part.length === 0) return
    const id = `${batch}.${event.subject}.${messages.length}.${part.length}`
    messages.push({ event, payload: { batch, at: at.toISOString(), items: part }, id })
    part = []
    bytes = HEAD_BYTES
  }
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes + size > MAX_MESSAGE_BYTES) close()
    part.push(item)
    bytes += size
  }
  close()
  return messages
}
