import type { CategoryItem } from '@partsbus/contracts/category'
import type { Decision, Fields } from '../items/item-document.js'
import type { CategoryDocument } from './category-document.js'

/** What the first pass writes, without the slug. */
type CategoryFields = Pick<CategoryDocument, 'name' | 'description' | 'is_active' | 'sort'>

/**
 * What the items of one key make of a category, but for its parent (erp.md#categories-1 to erp.md#categories-3).
 * @param items in the order sent
 * @param chooseSlug gives the slug to write; asked once
 */
export function planCategory(
  items: readonly CategoryItem[],
  stored: CategoryDocument | undefined,
  chooseSlug: (stored: string | undefined) => string,
): Decision<CategoryDocument> {
  let fields: CategoryFields = stored ?? { name: '', description: null, is_active: true, sort: 0 }
  for (const item of items) fields = applyCategory(fields, item)
  const slug = chooseSlug(stored?.slug)
  if (!stored) return { kind: 'create', fields: { slug, ...fields, parent_erp_id: null, pending_parent_erp_id: null } }
  const changes: Partial<Fields<CategoryDocument>> = {}
  if (slug !== stored.slug) changes.slug = slug
  if (fields.name !== stored.name) changes.name = fields.name
  if (fields.description !== stored.description) changes.description = fields.description
  if (fields.is_active !== stored.is_active) changes.is_active = fields.is_active
  if (fields.sort !== stored.sort) changes.sort = fields.sort
  return Object.keys(changes).length > 0 ? { kind: 'change', changes } : { kind: 'same' }
}

/** erp.md#categories-2; `sort` stays when it is not sent. */
function applyCategory(before: CategoryFields, item: CategoryItem): CategoryFields {
  return {
    name: item.name,
    description: item.description ?? null,
    is_active: item.is_active ?? true,
    sort: item.sort_order ?? before.sort,
  }
}
