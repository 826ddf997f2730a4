import { articleKey } from '@partsbus/contracts/article'
import type { ProductItem } from '@partsbus/contracts/product'
import type { Decision, Fields } from '../items/item-document.js'
import { mergeAttributes } from './merge-attributes.js'
import type { ProductDocument } from './product-document.js'

/** What the rules write, without the slug. */
export type ProductFields = Omit<Fields<ProductDocument>, 'slug'>

const blank: ProductFields = {
  name: '', brand: null, article: null, article_key: null, description: null,
  is_active: true, sort: 0, deleted_at: null, category_erp_ids: [], attributes: [],
}

/**
 * What the items of one key make of a product (ERP document, products rules 1–8).
 * @param items in the order sent
 * @param chooseSlug gives the slug to write; asked once
 */
export function planProduct(
  items: readonly ProductItem[],
  stored: ProductDocument | undefined,
  chooseSlug: (stored: string | undefined) => string,
): Decision<ProductDocument> {
  let fields: ProductFields = stored ?? blank
  for (const item of items) fields = applyProduct(fields, item)
  const slug = chooseSlug(stored?.slug)
  if (!stored) return { kind: 'create', fields: { slug, ...fields } }
  const changes: Partial<Fields<ProductDocument>> = {}
  if (slug !== stored.slug) changes.slug = slug
  for (const name of fieldNames) if (fields[name] !== stored[name]) Object.assign(changes, { [name]: fields[name] })
  for (const _ in changes) return { kind: 'change', changes }
  return { kind: 'same' }
}

const fieldNames = Object.keys(blank) as Array<keyof ProductFields>

/** One item's rules on what is there. Values that stay are the same references. */
export function applyProduct(before: ProductFields, item: ProductItem): ProductFields {
  const article = item.article ?? null
  return {
    name: item.name,
    brand: item.brand ?? null,
    article,
    article_key: article === before.article ? before.article_key : article && articleKey(article),
    description: describe(before.description, item),
    is_active: item.is_active ?? true,
    sort: item.sort_order ?? 0,
    deleted_at: null,
    category_erp_ids: linkCategory(before.category_erp_ids, item.category_id_erp),
    attributes: item.attributes ? mergeAttributes(before.attributes, item.attributes) : before.attributes,
  }
}

/** ERP document, products rule 3: the full text when it is a string; else the short one when there is no text yet. */
function describe(stored: string | null, item: ProductItem): string | null {
  if (typeof item.description_full === 'string') return item.description_full
  return stored || item.description_short || stored
}

/** ERP document, products rule 6: existing links are kept. Blank counts as not sent. */
function linkCategory(linked: string[], sent: string | null | undefined): string[] {
  if (!hasCategory(sent) || linked.includes(sent)) return linked
  return [...linked, sent]
}

export function hasCategory(sent: string | null | undefined): sent is string {
  return sent !== undefined && sent !== null && sent.trim() !== ''
}
