import type { ItemDocument } from '../items/item-document.js'
import type { AttributeValue } from './merge-attributes.js'

export interface ProductDocument extends ItemDocument {
  brand: string | null
  article: string | null
  /** the article as it is compared; null without one */
  article_key: string | null
  description: string | null
  sort: number
  deleted_at: Date | null
  /**
   * ERP ids of categories, in the order they were first sent. A category that has not arrived yet stands here too:
   * readers leave it out until it is there, so a late category needs no write to any product.
   */
  category_erp_ids: string[]
  attributes: AttributeValue[]
}
