import type { CategoryItem } from '@partsbus/contracts/category'
import type { ParentWish } from './parent-edges.js'

/** absent: no wish · null or blank: a root · else the parent's ERP id (erp.md#categories-4). */
export function parentWishes(items: readonly CategoryItem[]): Array<ParentWish & { item: CategoryItem }> {
  return items.flatMap((item) => {
    const sent = item.parent_id_erp
    if (sent === undefined) return []
    return { item, child: item.id_erp, parent: sent === null || sent.trim() === '' ? null : sent }
  })
}
