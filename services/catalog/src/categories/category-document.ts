import type { ItemDocument } from '../items/item-document.js'

export interface CategoryDocument extends ItemDocument {
  description: string | null
  sort: number
  /** ERP id of the parent; null for a root. Written under the lease `category-parents` only. */
  parent_erp_id: string | null
  /** ERP id of the parent that has not arrived yet; null when there is none */
  pending_parent_erp_id: string | null
}
