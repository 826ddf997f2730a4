import type { deactivateCategories } from '@partsbus/contracts/catalog'
import type { DeactivationResult } from '@partsbus/contracts/result'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { deactivateItems } from '../items/deactivate-items.js'

/** Deactivates categories; nothing is deleted (erp.md#delete-1). */
export function deactivateCategoryBatch(
  ctx: CatalogContext,
  call: CallOf<typeof deactivateCategories>,
): Promise<DeactivationResult> {
  return deactivateItems(ctx, call, {
    store: ctx.categories,
    kind: 'category.deactivated',
    inactive: (stored) => (stored.is_active ? { is_active: false } : {}),
  })
}
