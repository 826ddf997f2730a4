import {
  categoryDeactivated,
  categoryUpserted,
  productDeactivated,
  productRestored,
  productUpserted,
} from '@partsbus/contracts/events'
import type { z } from 'zod'

/** What a batch did. */
export type BatchEventKind = 'category.upserted' | 'category.deactivated' | 'product.upserted' | 'product.deactivated'

export interface EventItem {
  id: number
  erp_id: string
  created: boolean
  /** empty for a created item */
  changed: string[]
}

type CatalogEvent =
  | typeof categoryUpserted
  | typeof categoryDeactivated
  | typeof productUpserted
  | typeof productDeactivated
  | typeof productRestored

/** One message of the stream. A repetition with the same items has the same `id`, so that the stream drops it. */
export interface EventMessage {
  event: CatalogEvent
  payload: z.infer<CatalogEvent['payload']>
  id: string
}

type MessageItem = EventMessage['payload']['items'][number]

/** The stream takes messages of 1 MiB; the rest is for headers. */
const MAX_MESSAGE_BYTES = 1_000_000
const HEAD_BYTES = 1_000

const events: Record<BatchEventKind, CatalogEvent> = {
  'category.upserted': categoryUpserted,
  'category.deactivated': categoryDeactivated,
  'product.upserted': productUpserted,
  'product.deactivated': productDeactivated,
}

/** Messages of a batch (rules.md#events-list). Items without a visible change are omitted (rules.md#events-changed). */
export function eventMessages(
  kind: BatchEventKind,
  batch: string,
  at: Date,
  items: readonly EventItem[],
): EventMessage[] {
  const head = { batch, at: at.toISOString() }
  const visible = items.filter(({ created, changed }) => created || changed.length > 0)
  if (kind.endsWith('.deactivated')) return split(events[kind], head, visible.map(ids))
  const restored = kind === 'product.upserted' ? visible.filter(({ changed }) => changed.includes('deleted_at')) : []
  return [...split(events[kind], head, visible), ...split(productRestored, head, restored.map(ids))]
}

function ids({ id, erp_id }: EventItem): { id: number; erp_id: string } {
  return { id, erp_id }
}

function split(
  event: CatalogEvent,
  head: { batch: string; at: string },
  items: readonly MessageItem[],
): EventMessage[] {
  const messages: EventMessage[] = []
  let part: MessageItem[] = []
  let bytes = HEAD_BYTES
  const close = (): void => {
    if (part.length === 0) return
    const id = `${head.batch}.${event.subject}.${messages.length}.${part.length}`
    messages.push({ event, payload: { ...head, items: part }, id })
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

/** Upper bound of an item's JSON: an escaped UTF-16 unit has six bytes. */
function maxBytes(item: MessageItem): number {
  return 80 + item.erp_id.length * 6 + ('changed' in item && Array.isArray(item.changed) ? item.changed.length * 20 : 0)
}
