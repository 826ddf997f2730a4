import { z } from 'zod'
import { type DomainEvent, domainEvent } from './message.js'

/*
 * Events on the stream EVENTS (rules.md#events-list), one message per batch and kind, at most 1 MiB each: larger
 * batches are split. `batch` is the same in a repeated message, so that consumers can deduplicate
 * (rules.md#events-once). A public entry point, under semantic versioning.
 */

export type { DomainEvent }
export type PayloadOf<Event extends DomainEvent> = z.infer<Event['payload']>

const head = { batch: z.string(), at: z.iso.datetime() }
const changedItem = z.object({ id: z.int(), erp_id: z.string(), created: z.boolean(), changed: z.array(z.string()) })
const item = z.object({ id: z.int(), erp_id: z.string() })

export const categoryUpserted = domainEvent(
  'catalog.category.upserted',
  z.object({ ...head, items: z.array(changedItem) }),
)
export const categoryDeactivated = domainEvent(
  'catalog.category.deactivated',
  z.object({ ...head, items: z.array(item) }),
)
export const productUpserted = domainEvent(
  'catalog.product.upserted',
  z.object({ ...head, items: z.array(changedItem) }),
)
export const productDeactivated = domainEvent(
  'catalog.product.deactivated',
  z.object({ ...head, items: z.array(item) }),
)
export const productRestored = domainEvent('catalog.product.restored', z.object({ ...head, items: z.array(item) }))
export const supplyUpdated = domainEvent(
  'stock.supply.updated',
  z.object({
    ...head,
    storage_id: z.int(),
    pick_up_point_id: z.int(),
    items: z.array(
      z.object({
        product_id: z.int(),
        product_erp_id: z.string(),
        quantity: z.int(),
        revision: z
          .int()
          .describe('rises with each write of the supply; an event with a lower one than seen before is outdated'),
      }),
    ),
  }),
)

const mediaHead = { ...head, item: z.enum(['category', 'product']), erp_id: z.string() }
export const mediaAttached = domainEvent(
  'catalog.media.attached',
  z.object({ ...mediaHead, media_ids: z.array(z.int()) }),
)
export const mediaFailed = domainEvent('catalog.media.failed', z.object({ ...mediaHead, urls: z.array(z.string()) }))

/** Subjects of the stream EVENTS, listed one by one: a wildcard would also match requests. */
export const eventSubjects = [
  categoryUpserted,
  categoryDeactivated,
  productUpserted,
  productDeactivated,
  productRestored,
  supplyUpdated,
  mediaAttached,
  mediaFailed,
].map((event) => event.subject)
