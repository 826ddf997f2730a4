import type { ProductItem } from '@partsbus/contracts/product'
import type { MediaWish } from '../media/request-media.js'

/**
 * The pictures the items ask for: absent leaves them, null or an empty list clears them, a list replaces them
 * (erp.md#products-9). Of several items of one key the last that names images decides.
 * @param isNew true for a product this batch created, so that there is nothing to clear
 */
export function productImages(groups: Map<string, ProductItem[]>, isNew: (key: string) => boolean): MediaWish[] {
  const wishes: MediaWish[] = []
  for (const [erpId, items] of groups) {
    const images = items.findLast((item) => item.images !== undefined)?.images
    if (images === undefined) continue
    if ((images === null || images.length === 0) && isNew(erpId)) continue
    wishes.push({
      item: 'product',
      erp_id: erpId,
      images: (images ?? []).map((image, at) => ({
        url: image.url,
        sort_order: image.sort_order ?? at,
        is_main: image.is_main ?? false,
      })),
    })
  }
  return wishes
}
