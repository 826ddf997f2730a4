import type { deactivateProducts } from '@partsbus/contracts/catalog'
import type { DeactivationResult } from '@partsbus/contracts/result'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { deactivateItems } from '../items/deactivate-items.js'

/** Deactivates and soft-deletes products (erp.md#delete-2); the first deletion's time is kept. */
export function deactivateProductBatch(
  ctx: CatalogContext,
  call: CallOf<typeof deactivateProducts>,
): Promise<DeactivationResult> {
  const now = new Date()
  return deactivateItems(ctx, call, {
    store: ctx.products,
    kind: 'product.deactivated',
    inactive: (stored) => ({
      ...(stored.is_active && { is_active: false }),
      ...(stored.deleted_at === null && { deleted_at: now }),
    }),
  })
}
