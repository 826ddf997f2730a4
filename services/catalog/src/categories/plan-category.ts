import type { CategoryItem } from '@partsbus/contracts/catalog/category'
import type { Decision, Fields } from '../items/item-document.js'
import type { CategoryDocument } from './category-document.js'

/** The fields that the first pass writes; parents follow in a second one. */
type CategoryFields = Pick<CategoryDocument, 'name' | 'description' | 'is_active' | 'sort'>

const blank: CategoryFields = { name: '', description: null, is_active: true, sort: 0 }
const fieldNames = Object.keys(blank) as Array<keyof CategoryFields>

/**
 * Applies the items of one key to a category (erp.md#categories-1 to erp.md#categories-3).
 * @param items in the order sent
 */
export function planCategory(
  items: readonly CategoryItem[],
  stored: CategoryDocument | undefined,
): Decision<CategoryDocument> {
  let fields: CategoryFields = stored ?? blank
  for (const item of items) fields = applyCategory(fields, item)
  if (!stored) return { kind: 'create', fields: { ...fields, parent_erp_id: null, pending_parent_erp_id: null } }
  const changed = fieldNames.filter((name) => fields[name] !== stored[name])
  if (changed.length === 0) return { kind: 'none' }
  const changes: Partial<Fields<CategoryDocument>> = {}
  for (const name of changed) Object.assign(changes, { [name]: fields[name] })
  return { kind: 'update', changes, changed }
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
