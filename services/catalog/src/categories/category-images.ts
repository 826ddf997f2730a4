import type { CategoryItem } from '@partsbus/contracts/category'
import type { MediaWish } from '../media/request-media.js'

/**
 * The picture each item asks for: absent leaves it, null or blank clears it (erp.md#categories-7).
 * Of several items of one key the last that names one decides.
 * @param isNew true for a category this batch created, so that there is nothing to clear
 */
export function categoryImages(groups: Map<string, CategoryItem[]>, isNew: (key: string) => boolean): MediaWish[] {
  const wishes: MediaWish[] = []
  for (const [erpId, items] of groups) {
    const url = items.findLast((item) => item.image_url !== undefined)?.image_url
    if (url === undefined) continue
    const isCleared = url === null || url.trim() === ''
    if (isCleared && isNew(erpId)) continue
    wishes.push({ item: 'category', erp_id: erpId, images: isCleared ? [] : [{ url }] })
  }
  return wishes
}
