import type { DeactivationResult } from '@partsbus/contracts/result'
import { deactivateItems, type Deactivation } from '../items/deactivate-items.js'
import type { ProductStore, ProductWriter } from './product-store.js'

/** Deactivates and soft-deletes; a repetition keeps the time of the first deletion. */
export function deactivateProducts(
  call: Deactivation,
  store: ProductStore,
  writer: ProductWriter,
): Promise<DeactivationResult> {
  const now = new Date()
  return deactivateItems(call, {
    store,
    writer,
    kind: 'product.deactivated',
    omit: ['description', 'attributes', 'category_erp_ids', 'media'],
    changes: (stored) => ({
      ...(stored.is_active && { is_active: false }),
      ...(stored.deleted_at === null && { deleted_at: now }),
    }),
  })
}
