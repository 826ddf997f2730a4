import { articleKey } from '@partsbus/contracts/article'
import type { ProductItem } from '@partsbus/contracts/product'
import { contractViolation } from '@partsbus/contracts/violation'
import type { Decision, Fields } from '../items/item-document.js'
import { mergeAttributes } from './merge-attributes.js'
import type { ProductDocument } from './product-document.js'

/** What the rules write, without the slug. */
export type ProductFields = Omit<Fields<ProductDocument>, 'slug'>

const blank: ProductFields = {
  name: '',
  brand: null,
  article: null,
  article_key: null,
  description: null,
  is_active: true,
  sort: 0,
  deleted_at: null,
  category_erp_ids: [],
  attributes: [],
}

/**
 * What the items of one key make of a product (erp.md#products-1 to erp.md#products-8).
 * @param items in the order sent
 * @param chooseSlug gives the slug to write; asked once
 * @throws AppError CONTRACT_VIOLATION when the product would outgrow a document
 */
export function planProduct(
  items: readonly ProductItem[],
  stored: ProductDocument | undefined,
  chooseSlug: (stored: string | undefined) => string,
): Decision<ProductDocument> {
  let fields: ProductFields = stored ?? blank
  for (const item of items) fields = applyProduct(fields, item)
  if (fields.attributes !== stored?.attributes) assertFits(items, fields)
  const slug = chooseSlug(stored?.slug)
  if (!stored) return { kind: 'create', fields: { slug, ...fields } }
  const changes: Partial<Fields<ProductDocument>> = {}
  if (slug !== stored.slug) changes.slug = slug
  for (const name of fieldNames) if (fields[name] !== stored[name]) Object.assign(changes, { [name]: fields[name] })
  return Object.keys(changes).length > 0 ? { kind: 'change', changes } : { kind: 'same' }
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

/** erp.md#products-3: the full text when it is a string; else the short one when there is no text yet. */
function describe(stored: string | null, item: ProductItem): string | null {
  if (typeof item.description_full === 'string') return item.description_full
  return stored || item.description_short || stored
}

/** erp.md#products-6: existing links are kept. Blank counts as not sent. */
function linkCategory(linked: string[], sent: string | null | undefined): string[] {
  if (!hasCategory(sent) || linked.includes(sent)) return linked
  return [...linked, sent]
}

/** Attributes add up over requests, and a document of the database ends at 16 MiB. */
const MAX_TEXT_BYTES = 12 * 1024 * 1024

function assertFits(items: readonly ProductItem[], { attributes, description }: ProductFields): void {
  let units = description?.length ?? 0
  for (const { name, type, value } of attributes) units += name.length + type.length + value.length + 20
  // a UTF-16 unit has at most three bytes, so most products need no exact count
  if (units * 3 <= MAX_TEXT_BYTES) return
  let bytes = Buffer.byteLength(description ?? '')
  for (const { name, type, value } of attributes)
    bytes += Buffer.byteLength(name) + Buffer.byteLength(type) + Buffer.byteLength(value) + 60
  if (bytes > MAX_TEXT_BYTES)
    throw contractViolation({
      products: [`The attributes of product ${items[0]?.id_erp ?? ''} must not be larger than 12 MiB.`],
    })
}

export function hasCategory(sent: string | null | undefined): sent is string {
  return sent !== undefined && sent !== null && sent.trim() !== ''
}
