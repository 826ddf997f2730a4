import type { DeactivationResult } from '@partsbus/contracts/result'
import { deactivateItems, type Deactivation } from '../items/deactivate-items.js'
import type { CategoryStore, CategoryWriter } from './category-store.js'

/** Deactivated categories are not deleted. */
export function deactivateCategories(
  call: Deactivation,
  store: CategoryStore,
  writer: CategoryWriter,
): Promise<DeactivationResult> {
  return deactivateItems(call, {
    store,
    writer,
    kind: 'category.deactivated',
    omit: ['description', 'media'],
    changes: (stored) => (stored.is_active ? { is_active: false } : {}),
  })
}
