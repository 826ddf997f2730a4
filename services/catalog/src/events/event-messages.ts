import {
  categoryDeactivated,
  categoryUpserted,
  productDeactivated,
  productRestored,
  productUpserted,
} from '@partsbus/contracts/events'
import type { z } from 'zod'
import type { Written } from '../items/write-items.js'

/** What a batch did, as its note says. */
export type NoteKind = 'category.upserted' | 'category.deactivated' | 'product.upserted' | 'product.deactivated'

export type WrittenItem = Written & { erp_id: string }

type CatalogEvent =
  | typeof categoryUpserted
  | typeof categoryDeactivated
  | typeof productUpserted
  | typeof productDeactivated
  | typeof productRestored

/** One message for the stream; repeated with the same `id` and items it is the same message. */
export interface EventMessage {
  event: CatalogEvent
  payload: z.infer<CatalogEvent['payload']>
  id: string
}

type ToldItem = EventMessage['payload']['items'][number]

/** Room for the head of a message and its headers below the stream's 1 MiB. */
const MAX_MESSAGE_BYTES = 1_000_000
const HEAD_BYTES = 1_000

/** Names by which the outside knows stored fields; those left out are made from others. */
const publicNames: Record<string, string | undefined> = {
  article_key: undefined,
  category_erp_ids: 'categories',
  parent_erp_id: 'parent_id',
  pending_parent_erp_id: undefined,
}

/** The messages that tell of what a batch wrote, each at most 1 MiB (contracts, "Facts on the stream EVENTS"). */
export function eventMessages(kind: NoteKind, batch: string, at: Date, items: readonly WrittenItem[]): EventMessage[] {
  const head = { batch, at: at.toISOString() }
  if (kind.endsWith('.deactivated')) return split(events[kind], head, items.map(idsOf))
  const told = items.map(({ id, erp_id, created, changed }) => ({
    id,
    erp_id,
    created,
    changed: publicChanges(changed),
  }))
  if (kind === 'category.upserted') return split(categoryUpserted, head, told)
  const restored = items.filter(({ changed }) => changed.includes('deleted_at'))
  return [...split(productUpserted, head, told), ...split(productRestored, head, restored.map(idsOf))]
}

function idsOf({ id, erp_id }: WrittenItem): { id: number; erp_id: string } {
  return { id, erp_id }
}

const events: Record<NoteKind, CatalogEvent> = {
  'category.upserted': categoryUpserted,
  'category.deactivated': categoryDeactivated,
  'product.upserted': productUpserted,
  'product.deactivated': productDeactivated,
}

function publicChanges(changed: string[]): string[] {
  const told: string[] = []
  for (const field of changed) {
    const name = field in publicNames ? publicNames[field] : field
    if (name !== undefined) told.push(name)
  }
  return told
}

function split(event: CatalogEvent, head: { batch: string; at: string }, items: readonly ToldItem[]): EventMessage[] {
  const messages: EventMessage[] = []
  let part: ToldItem[] = []
  let bytes = HEAD_BYTES
  const close = (): void => {
    if (part.length === 0) return
    messages.push({
      event,
      payload: { ...head, items: part },
      id: `${head.batch}.${event.subject}.${messages.length}.${part.length}`,
    })
    part = []
    bytes = HEAD_BYTES
  }
  for (const item of items) {
    const size = maxBytes(item)
    if (bytes + size > MAX_MESSAGE_BYTES) close()
    part.push(item)
    bytes += size
  }
  close()
  return messages
}

/** An item's JSON is at most this long: an ERP id has at most 191 code points, of at most six bytes each when escaped. */
function maxBytes(item: ToldItem): number {
  return 80 + item.erp_id.length * 6 + ('changed' in item && Array.isArray(item.changed) ? item.changed.length * 20 : 0)
}
