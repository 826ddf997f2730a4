import type { ItemDocument } from '../items/item-document.js'

export interface CategoryDocument extends ItemDocument {
  description: string | null
  sort: number
  /** ERP id of the parent; null for a root. Written under the lease `category-parents` alone. */
  parent_erp_id: string | null
  /** ERP id of a parent that has not arrived yet; null when none is waited for */
  pending_parent_erp_id: string | null
}
