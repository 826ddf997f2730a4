import { Controller } from '@nestjs/common'
import { upsertCategories as contract } from '@partsbus/contracts/catalog/commands'
import type { CategoryItem } from '@partsbus/contracts/catalog/category'
import type { ItemNote } from '@partsbus/contracts/result-details'
import type { UpsertResult } from '@partsbus/contracts/result'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ErpBatches } from '../full-sync/erp-batches.js'
import { completeResult, countUnchanged, errorEntries, groupByKey, slugNotes } from '../items/batch-items.js'
import type { Outcome } from '../items/plan-batch.js'
import { MediaRequests, type MediaRequest } from '../media/media-requests.js'
import { CategoryStore, CategoryWriter } from './category-store.js'
import { ParentLinks } from './parent-links.js'
import { planCategory } from './plan-category.js'
import { type ParentOutcome, parentRequests } from './plan-parents.js'

@Controller()
export class UpsertCategories {
  constructor(
    private readonly categories: CategoryStore,
    private readonly writer: CategoryWriter,
    private readonly parents: ParentLinks,
    private readonly media: MediaRequests,
    private readonly batches: ErpBatches,
  ) {}

  /** Writes the categories, then sets their parents, then requests their images (erp.md#categories). */
  @Handles(contract)
  upsertCategories(call: CallOf<typeof contract>): Promise<UpsertResult> {
    return this.batches.process('categories', call, this.categories, () => this.upsert(call))
  }

  private async upsert(call: CallOf<typeof contract>): Promise<UpsertResult> {
    const { items, rejected, processed } = call.body
    const groups = groupByKey(items)
    const keys = [...groups.keys()]
    const slugs = this.writer.slugs.forBatch(groups, ({ name }) => name, 'category')
    const [{ docs: stored, unread }, receivedAt] = await Promise.all([
      this.categories.readSlice(keys),
      this.media.now(),
    ])
    const outcomes = await this.writer.write({
      kind: 'category.upserted',
      keys,
      stored,
      unread,
      plan: (key, stored) => planCategory(groups.get(key) ?? [], stored),
      slugs,
    })
    const requests = parentRequests(items)
    const moved = new Set<string>()
    const linked = await this.parents.setParents(requests, moved)
    const created = [...outcomes].flatMap(([key, { isCreated }]) => (isCreated ? [key] : []))
    const missing = requests.flatMap(({ parent }, at) => (parent !== null && linked[at] === 'missing' ? parent : []))
    await this.parents.linkPendingParents([...new Set([...created, ...missing])])
    const images = imageRequests(groups, outcomes)
    const { failed, changed } = await this.media.requestForBatch(call, images, 'image_url', receivedAt)
    const parentOutcomes = new Map(requests.map(({ item }, at) => [item, linked[at]]))
    const errors = errorEntries(
      rejected,
      items,
      failed,
      (item) => [...slugNotes(item, slugs, outcomes.get(item.id_erp)), ...parentNotes(item, parentOutcomes.get(item))],
      call.details,
    )
    const result = { processed, created: created.length, updated: items.length - created.length, errors }
    return completeResult(result, countUnchanged(items, outcomes, new Set([...moved, ...changed])), call.details)
  }
}

function parentNotes(item: CategoryItem, outcome: ParentOutcome | undefined): ItemNote[] {
  const path = 'parent_id_erp'
  if (outcome === 'missing') {
    const message = `Parent category with id_erp=${item.parent_id_erp} not found.`
    return [{ code: 'parent_not_found', path, message }]
  }
  return outcome === 'cycle' ? [{ code: 'parent_cycle', path, message: 'Category parent would form a cycle.' }] : []
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
    const source = items.findLast((item) => item.image_url !== undefined)
    const url = source?.image_url
    const outcome = outcomes.get(erp_id)
    if (!source || url === undefined || !outcome) continue
    const isCleared = url === null || url.trim() === ''
    if (isCleared && outcome.isCreated) continue
    requests.push({
      item: 'category',
      erp_id,
      item_rev: outcome.rev,
      isUnwritten: !outcome.isWritten,
      isContested: outcome.isContested ?? false,
      source,
      images: isCleared ? [] : [{ url }],
    })
  }
  return requests
}
