import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/commands'
import type { Category, CategoryRow } from '@partsbus/contracts/catalog/category'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { Page } from '@partsbus/contracts/paging'
import type { DeactivationResult } from '@partsbus/contracts/result'
import { contractViolation } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { LatestBatchStore } from '../overview/latest-batch-store.js'
import type { CategoryDocument } from './category-document.js'
import { CategoryStore, CategoryWriter } from './category-store.js'
import { categoryView } from './category-view.js'
import { deactivateCategories } from './deactivate-categories.js'
import { LinkedProductStore } from './linked-product-store.js'

/** admin.md#categories, erp.md#delete-1 */
@Controller()
export class Categories {
  constructor(
    private readonly categories: CategoryStore,
    private readonly writer: CategoryWriter,
    private readonly linked: LinkedProductStore,
    private readonly latestBatch: LatestBatchStore,
  ) {}

  /** With the counts of children and products (admin.md#category-tree). */
  @Handles(contract.listCategories)
  async listCategories(call: CallOf<typeof contract.listCategories>): Promise<Page<CategoryRow>> {
    const { page, per_page, parent_id, q } = call.body
    const parent = parent_id === undefined ? undefined : await this.findParent(parent_id)
    if (parent === null) return { data: [], total: 0, page, per_page }
    const { docs, total } = await this.categories.list({ parent: parent?.erpId, q }, call.body)
    return { data: await this.rows(docs), total, page, per_page }
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getCategory)
  async getCategory(call: CallOf<typeof contract.getCategory>): Promise<Category> {
    const doc = await this.categories.findByName(call.body)
    const [view] = doc ? await this.views([doc]) : []
    if (!view) throw new AppError('NOT_FOUND', texts.notFound)
    return view
  }

  @Handles(contract.deactivateCategories)
  deactivateCategories(call: CallOf<typeof contract.deactivateCategories>): Promise<DeactivationResult> {
    this.latestBatch.note()
    return deactivateCategories(call, this.categories, this.writer)
  }

  /**
   * @returns the ERP id of the parent, null for the roots; null when there is no such category
   * @throws AppError CONTRACT_VIOLATION when it is no id
   */
  private async findParent(parentId: string): Promise<{ erpId: string | null } | null> {
    if (parentId === 'root') return { erpId: null }
    if (!/^[1-9]\d{0,14}$/.test(parentId)) throw contractViolation({ parent_id: ['The parent_id is invalid.'] })
    const parent = await this.categories.findByName({ id: Number(parentId) })
    return parent ? { erpId: parent._id } : null
  }

  private async rows(docs: readonly CategoryDocument[]): Promise<CategoryRow[]> {
    const erpIds = docs.map(({ _id }) => _id)
    const [views, children, products] = await Promise.all([
      this.views(docs),
      this.categories.countChildren(erpIds),
      this.linked.countLinked(erpIds),
    ])
    return views.map((view, at) => ({
      ...view,
      children: children.get(view.erp_id) ?? 0,
      products: products.get(view.erp_id) ?? 0,
      pending_parent_erp_id: docs[at]?.pending_parent_erp_id ?? null,
    }))
  }

  private async views(docs: readonly CategoryDocument[]): Promise<Category[]> {
    const parents = await this.categories.findSummaries([...new Set(docs.flatMap((doc) => doc.parent_erp_id ?? []))])
    return docs.map((doc) => categoryView(doc, parents))
  }
}
