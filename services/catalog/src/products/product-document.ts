import type { Fields, ItemDocument } from '../items/item-document.js'
import type { AttributeValue } from './merge-attributes.js'

export interface ProductDocument extends ItemDocument {
  brand: string | null
  article: string | null
  /** the normalized article, for comparison; null without one */
  article_key: string | null
  description: string | null
  sort: number
  deleted_at: Date | null
  /**
   * ERP ids of categories in the order first sent, unknown ones included: readers leave those out, so that the arrival
   * of a category changes no product.
   */
  category_erp_ids: string[]
  attributes: AttributeValue[]
}

export type ProductFields = Fields<ProductDocument>

/** A product before its first item. Stored products may lack a field that was added later; it then has this value. */
export const blankProduct: ProductFields = {
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
