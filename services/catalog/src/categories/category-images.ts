import type { CategoryItem } from '@partsbus/contracts/category'
import type { MediaWish } from '../media/request-media.js'

/**
 * The picture each item asks for: absent leaves it, null or blank clears it (decisions, "`image_url` of a category").
 * Of several items of one key the last that names one decides.
 * @param mediaRev 0 for a category whose picture was never asked for, so that there is nothing to clear
 */
export function categoryImages(groups: Map<string, CategoryItem[]>, mediaRev: (key: string) => number): MediaWish[] {
  const wishes: MediaWish[] = []
  for (const [erpId, items] of groups) {
    const url = items.findLast((item) => item.image_url !== undefined)?.image_url
    if (url === undefined) continue
    const isCleared = url === null || url.trim() === ''
    if (isCleared && mediaRev(erpId) === 0) continue
    wishes.push({ item: 'category', erp_id: erpId, images: isCleared ? [] : [{ url }] })
  }
  return wishes
}
