import type { supplyUpdated } from '@partsbus/contracts/events'
import type { z } from 'zod'

export type SupplyEventItem = z.infer<typeof supplyUpdated.payload>['items'][number]

/** A message of the stream is at most 1 MiB; everything but the items is below 1 KiB. */
const MAX_ITEM_BYTES = 1024 * 1024 - 1024

/** Splits items into messages of at most 1 MiB, in order. No items make no message. */
export function splitItems(items: readonly SupplyEventItem[], maxBytes = MAX_ITEM_BYTES): SupplyEventItem[][] {
  const parts: SupplyEventItem[][] = []
  let size = Infinity
  for (const { product_id, product_erp_id, quantity, revision } of items) {
    const item = { product_id, product_erp_id, quantity, revision }
    const bytes = itemBytes(item)
    if (size + bytes > maxBytes) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(item)
    size += bytes
  }
  return parts
}

/** An upper bound: names and numbers take at most 120 bytes, a UTF-16 unit at most 6 as an escape. */
function itemBytes(item: SupplyEventItem): number {
  return 120 + item.product_erp_id.length * 6
}
