import type { ProductItem } from '@partsbus/contracts/product'
import { type SlugWish, slugEntry } from '../slugs/slug-wish.js'
import { hasCategory } from './plan-product.js'

/** The error entries of one saved product item, but for its pictures. */
export function productEntries(item: ProductItem, wish: SlugWish, slug: string, isCategory: (erpId: string) => boolean): string[] {
  const entries: string[] = []
  const aboutSlug = slugEntry(item.slug, wish, slug)
  if (aboutSlug) entries.push(aboutSlug)
  if (hasCategory(item.category_id_erp) && !isCategory(item.category_id_erp)) {
    entries.push(`Category with id_erp=${item.category_id_erp} not found.`)
  }
  return entries
}
