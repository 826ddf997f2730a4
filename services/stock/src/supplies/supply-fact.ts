import type { supplyUpdated } from '@partsbus/contracts/events'
import type { z } from 'zod'

/** One product's quantity as an event tells it. */
export type SupplyFact = z.infer<typeof supplyUpdated.payload>['items'][number]

/** A message of the stream is at most 1 MiB; what stands around the items is below 1 KiB. */
const MAX_ITEM_BYTES = 1024 * 1024 - 1024

/** Cuts facts into messages of at most 1 MiB, in order. No facts make no message. */
export function splitItems(facts: readonly SupplyFact[], maxBytes = MAX_ITEM_BYTES): SupplyFact[][] {
  const parts: SupplyFact[][] = []
  let size = Infinity
  for (const { product_id, product_erp_id, quantity } of facts) {
    const fact = { product_id, product_erp_id, quantity }
    const bytes = factBytes(fact)
    if (size + bytes > maxBytes) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(fact)
    size += bytes
  }
  return parts
}

/** An upper bound: names and numbers take at most 90 bytes, a UTF-16 unit at most 6 as an escape. */
function factBytes(fact: SupplyFact): number {
  return 90 + fact.product_erp_id.length * 6
}
