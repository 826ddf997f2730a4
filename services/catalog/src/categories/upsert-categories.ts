import { Injectable } from '@nestjs/common'
import type { upsertCategories as contract } from '@partsbus/contracts/catalog/commands'
import type { CategoryItem } from '@partsbus/contracts/catalog/category'
import type { UpsertResult } from '@partsbus/contracts/result'
import type { CallOf } from '@partsbus/platform/bus/call'
import { errorEntries, groupByKey, slugErrors } from '../items/batch-items.js'
import type { Outcome } from '../items/item-writer.js'
import { MediaRequests, type MediaRequest } from '../media/media-requests.js'
import { CategoryStore, CategoryWriter } from './category-store.js'
import { ParentLinks } from './parent-links.js'
import { planCategory } from './plan-category.js'
import { type ParentOutcome, parentRequests } from './plan-parents.js'

@Injectable()
export class UpsertCategories {
  constructor(
    private readonly categories: CategoryStore,
    private readonly writer: CategoryWriter,
    private readonly parents: ParentLinks,
    private readonly media: MediaRequests,
  ) {}

  /** Writes the categories, then sets their parents, then requests their images (erp.md#categories). */
  async upsertCategories(call: CallOf<typeof contract>): Promise<UpsertResult> {
    const { items, rejected, processed } = call.body
    const groups = groupByKey(items)
    const keys = [...groups.keys()]
    const slugs = this.writer.slugs.forBatch(groups, ({ name }) => name, 'category')
    const outcomes = await this.writer.write({
      kind: 'category.upserted',
      keys,
      stored: await this.categories.findByErpIds(keys),
      plan: (key, stored) => planCategory(groups.get(key) ?? [], stored),
      slugs,
    })
    const requests = parentRequests(items)
    const linked = await this.parents.setParents(requests)
    const created = [...outcomes].flatMap(([key, { isCreated }]) => (isCreated ? [key] : []))
    const missing = requests.flatMap(({ parent }, at) => (parent !== null && linked[at] === 'missing' ? parent : []))
    await this.parents.linkPendingParents([...new Set([...created, ...missing])])
    const failedImages = await this.media.requestForBatch(call, imageRequests(groups, outcomes))
    const parentOutcomes = new Map(requests.map(({ item }, at) => [item, linked[at]]))
    const errors = errorEntries(rejected, items, failedImages, (item) => [
      ...slugErrors(item, slugs, outcomes.get(item.id_erp)),
      ...parentErrors(item, parentOutcomes.get(item)),
    ])
    return { processed, created: created.length, updated: items.length - created.length, errors }
  }
}

function parentErrors(item: CategoryItem, outcome: ParentOutcome | undefined): string[] {
  if (outcome === 'missing') return [`Parent category with id_erp=${item.parent_id_erp} not found.`]
  return outcome === 'cycle' ? ['Category parent would form a cycle.'] : []
}

/**
 * Absent leaves the image, null or blank clears it (erp.md#categories-7). Of several items of one key the last one
 * with an `image_url` decides. A new category has nothing to clear.
 */
function imageRequests(
  groups: ReadonlyMap<string, readonly CategoryItem[]>,
  outcomes: ReadonlyMap<string, Outcome>,
): MediaRequest[] {
  const requests: MediaRequest[] = []
  for (const [erp_id, items] of groups) {
    const url = items.findLast((item) => item.image_url !== undefined)?.image_url
    const outcome = outcomes.get(erp_id)
    if (url === undefined || !outcome) continue
    const isCleared = url === null || url.trim() === ''
    if (isCleared && outcome.isCreated) continue
    requests.push({ item: 'category', erp_id, item_rev: outcome.rev, images: isCleared ? [] : [{ url }] })
  }
  return requests
}
