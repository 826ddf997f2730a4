import { ensureIndexes } from '@partsbus/platform/mongo-index'
import { ItemStore, itemIndexes } from '../items/item-store.js'
import type { ProductDocument } from './product-document.js'

export class ProductStore extends ItemStore<ProductDocument> {
  ensureIndexes(): Promise<void> {
    return ensureIndexes(this.collection, [
      ...itemIndexes,
      { name: 'article_key', key: { article_key: 1 } },
      { name: 'category_erp_ids_id', key: { category_erp_ids: 1, id: 1 } },
      { name: 'deleted_id', key: { id: 1 }, options: { partialFilterExpression: { deleted_at: { $type: 'date' } } } },
    ])
  }
}
