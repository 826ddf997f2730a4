import { articleKey } from '@partsbus/contracts/article'
import type { ProductItem } from '@partsbus/contracts/catalog/product'
import type { Decision } from '../items/item-document.js'
import { type AttributeValue, mergeAttributes, replaceAttributes } from './merge-attributes.js'
import { blankProduct, type ProductDocument, type ProductFields } from './product-document.js'

/** What sent categories and attributes do to the stored ones. */
export type UpdateMode = 'merge' | 'replace'

export interface ProductPlan {
  decision: Decision<ProductDocument>
  /** items that would make the product larger than {@link MAX_PRODUCT_BYTES}; they are not applied */
  oversized: ProductItem[]
}

/**
 * Largest JSON of a product's description, attributes and category links, which add up over requests
 * (erp.md#products-10). With its media (below 100 KB) and other fields (below 10 KB) a product always fits one message
 * of the bus (8 MiB).
 */
export const MAX_PRODUCT_BYTES = 7 * 1024 * 1024
/** Upper bound of a category link's JSON, apart from its ERP id: the name has 191 characters of at most 12 bytes. */
const LINK_BYTES = 2_400

const fieldNames = Object.keys(blankProduct) as Array<keyof ProductFields>
/** Stored fields that are derived from others, and the visible names of those that have another one. */
const visibleNames: Partial<Record<keyof ProductFields, string>> = { article_key: '', category_erp_ids: 'categories' }

/**
 * Applies the items of one key to a product (erp.md#products-1 to erp.md#products-8, erp.md#batch-omitted).
 * @param items in the order sent
 * @param mode `replace`: sent categories and attributes replace the stored ones (erp.md#update-mode)
 * @param isKnownCategory whether a category has arrived, so that a link to it is visible
 */
export function planProduct(
  items: readonly ProductItem[],
  stored: ProductDocument | undefined,
  isKnownCategory: (erpId: string) => boolean,
  mode: UpdateMode = 'merge',
): ProductPlan {
  const oversized: ProductItem[] = []
  let fields: ProductFields = stored ?? blankProduct
  for (const item of items) {
    const next = applyProduct(fields, item, mode)
    if (isLarger(fields, next) && !fits(next)) oversized.push(item)
    else fields = next
  }
  return { decision: decide(fields, stored, oversized.length < items.length, isKnownCategory), oversized }
}

function decide(
  fields: ProductFields,
  stored: ProductDocument | undefined,
  hasItems: boolean,
  isKnownCategory: (erpId: string) => boolean,
): Decision<ProductDocument> {
  if (!hasItems) return { kind: 'none' }
  if (!stored) return { kind: 'create', fields }
  const names = fieldNames.filter((name) => fields[name] !== stored[name])
  if (names.length === 0) return { kind: 'none' }
  const changes: Partial<ProductFields> = {}
  for (const name of names) Object.assign(changes, { [name]: fields[name] })
  const changed = names
    .filter((name) => name !== 'category_erp_ids' || isVisibleMove(stored, fields, isKnownCategory))
    .map((name) => visibleNames[name] ?? name)
    .filter((name) => name !== '')
  return { kind: 'update', changes, changed }
}

/** A link to a category that has not arrived is not visible; one that was removed may have been. */
function isVisibleMove(
  { category_erp_ids: before }: ProductFields,
  { category_erp_ids: after }: ProductFields,
  isKnownCategory: (erpId: string) => boolean,
): boolean {
  return after.some((id) => isKnownCategory(id) && !before.includes(id)) || before.some((id) => !after.includes(id))
}

/** The rules for one item. Values that stay the same are the same references. */
export function applyProduct(before: ProductFields, item: ProductItem, mode: UpdateMode): ProductFields {
  const article = item.article ?? null
  return {
    name: item.name,
    brand: item.brand ?? null,
    article,
    article_key: article === before.article ? before.article_key : article && articleKey(article),
    description: nextDescription(before.description, item),
    is_active: item.is_active ?? true,
    sort: item.sort_order ?? 0,
    deleted_at: null,
    category_erp_ids:
      mode === 'merge'
        ? linkCategory(before.category_erp_ids, item.category_id_erp)
        : moveToCategory(before.category_erp_ids, item.category_id_erp),
    attributes: nextAttributes(before.attributes, item.attributes, mode),
  }
}

/** erp.md#products-3: the full text when it is a string; else the short one when there is no text yet. */
function nextDescription(stored: string | null, item: ProductItem): string | null {
  if (typeof item.description_full === 'string') return item.description_full
  return stored || item.description_short || stored
}

/** erp.md#products-6: existing links are kept. Blank counts as not sent. */
function linkCategory(linked: string[], sent: string | null | undefined): string[] {
  if (!hasCategory(sent) || linked.includes(sent)) return linked
  return [...linked, sent]
}

/** erp.md#update-mode: null and blank leave all categories, absent leaves the links as they are. */
function moveToCategory(linked: string[], sent: string | null | undefined): string[] {
  if (sent === undefined) return linked
  const next = hasCategory(sent) ? [sent] : []
  return linked.length === next.length && linked[0] === next[0] ? linked : next
}

function nextAttributes(stored: AttributeValue[], sent: ProductItem['attributes'], mode: UpdateMode): AttributeValue[] {
  if (mode === 'merge') return sent ? mergeAttributes(stored, sent) : stored
  return sent === undefined ? stored : replaceAttributes(stored, sent ?? [])
}

export function hasCategory(sent: string | null | undefined): sent is string {
  return sent !== undefined && sent !== null && sent.trim() !== ''
}

/** A product that is too large already, from the time of a higher limit, may still change in other ways. */
function isLarger(before: ProductFields, after: ProductFields): boolean {
  return (
    after.attributes !== before.attributes ||
    after.description !== before.description ||
    after.category_erp_ids !== before.category_erp_ids
  )
}

function fits({ attributes, description, category_erp_ids: links }: ProductFields): boolean {
  let units = description?.length ?? 0
  for (const { name, type, value } of attributes) units += name.length + type.length + value.length + 8
  for (const erpId of links) units += erpId.length + LINK_BYTES / 6
  // a UTF-16 unit has at most six bytes in JSON, so that most products need no exact count
  if (units * 6 <= MAX_PRODUCT_BYTES) return true
  const bytes = Buffer.byteLength(JSON.stringify({ description, attributes, links })) + links.length * LINK_BYTES
  return bytes <= MAX_PRODUCT_BYTES
}
