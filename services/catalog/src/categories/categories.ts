import { Injectable } from '@nestjs/common'
import type * as contract from '@partsbus/contracts/catalog/commands'
import type { Category } from '@partsbus/contracts/catalog/category'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { Page } from '@partsbus/contracts/paging'
import type { DeactivationResult } from '@partsbus/contracts/result'
import type { CallOf } from '@partsbus/platform/bus/call'
import { deactivateItems } from '../items/deactivate-items.js'
import type { CategoryDocument } from './category-document.js'
import { CategoryStore, CategoryWriter } from './category-store.js'
import { categoryView } from './category-view.js'

/** admin.md#categories, erp.md#delete-1 */
@Injectable()
export class Categories {
  constructor(
    private readonly categories: CategoryStore,
    private readonly writer: CategoryWriter,
  ) {}

  async listCategories(call: CallOf<typeof contract.listCategories>): Promise<Page<Category>> {
    const { page, per_page } = call.body
    const [docs, total] = await Promise.all([this.categories.findPage({}, call.body), this.categories.countAll()])
    return { data: await this.views(docs), total, page, per_page }
  }

  /** @throws AppError NOT_FOUND */
  async getCategory(call: CallOf<typeof contract.getCategory>): Promise<Category> {
    const doc = await this.categories.findByName(call.body)
    const [view] = doc ? await this.views([doc]) : []
    if (!view) throw new AppError('NOT_FOUND', texts.notFound)
    return view
  }

  /** Deactivated categories are not deleted. */
  deactivateCategories(call: CallOf<typeof contract.deactivateCategories>): Promise<DeactivationResult> {
    return deactivateItems(call, {
      store: this.categories,
      writer: this.writer,
      kind: 'category.deactivated',
      changes: (stored) => (stored.is_active ? { is_active: false } : {}),
    })
  }

  private async views(docs: readonly CategoryDocument[]): Promise<Category[]> {
    const parents = await this.categories.findSummaries([...new Set(docs.flatMap((doc) => doc.parent_erp_id ?? []))])
    return docs.map((doc) => categoryView(doc, parents))
  }
}
