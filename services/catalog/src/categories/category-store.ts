import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { ItemStore, itemIndexes } from '../items/item-store.js'
import type { CategoryDocument } from './category-document.js'

/** Beyond this many ids the memory starts anew. */
const MAX_KNOWN = 100_000

export class CategoryStore extends ItemStore<CategoryDocument> {
  private readonly known = new Set<string>()

  ensureIndexes(): Promise<void> {
    return ensureIndexes(this.collection, [
      ...itemIndexes,
      {
        name: 'pending_parent_erp_id',
        key: { pending_parent_erp_id: 1 },
        options: { partialFilterExpression: { pending_parent_erp_id: { $type: 'string' } } },
      },
    ])
  }

  /** Which of these categories exist. No category is ever removed, so one once seen is not looked up again. */
  async knownAmong(erpIds: Iterable<string>): Promise<Set<string>> {
    const asked = new Set(erpIds)
    const unseen = [...asked].filter((erpId) => !this.known.has(erpId))
    if (unseen.length === 0) return asked
    const found = await this.marksOf(unseen)
    for (const erpId of unseen) if (!found.has(erpId)) asked.delete(erpId)
    if (this.known.size + found.size > MAX_KNOWN) this.known.clear()
    for (const erpId of found.keys()) this.known.add(erpId)
    return asked
  }
}
