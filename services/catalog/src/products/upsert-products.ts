import { Controller } from '@nestjs/common'
import type { RejectedItem } from '@partsbus/contracts/batch'
import { upsertProducts as contract } from '@partsbus/contracts/catalog/commands'
import type { ProductItem } from '@partsbus/contracts/catalog/product'
import type { ItemNote } from '@partsbus/contracts/result-details'
import type { UpsertResult } from '@partsbus/contracts/result'
import { contractViolation } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { AwaitedCategoryStore } from '../categories/awaited-category-store.js'
import { CategoryStore } from '../categories/category-store.js'
import { ErpBatches } from '../full-sync/erp-batches.js'
import { completeResult, countUnchanged, errorEntries, groupByKey, slugNotes } from '../items/batch-items.js'
import type { Outcome } from '../items/plan-batch.js'
import { MediaRequests, type MediaRequest } from '../media/media-requests.js'
import { AttributeStore } from './attribute-store.js'
import { findRepeated } from './merge-attributes.js'
import { hasCategory, planProduct, type ProductPlan } from './plan-product.js'
import type { ProductDocument } from './product-document.js'
import { ProductStore, ProductWriter } from './product-store.js'

@Controller()
export class UpsertProducts {
  constructor(
    private readonly products: ProductStore,
    private readonly writer: ProductWriter,
    private readonly attributes: AttributeStore,
    private readonly categories: CategoryStore,
    private readonly awaited: AwaitedCategoryStore,
    private readonly media: MediaRequests,
    private readonly batches: ErpBatches,
  ) {}

  /** Writes the products, then requests their images (erp.md#products). */
  @Handles(contract)
  upsertProducts(call: CallOf<typeof contract>): Promise<UpsertResult> {
    return this.batches.process('products', call, this.products, () => this.upsert(call))
  }

  /**
   * Three round trips to the database when no other batch interferes: read; outbox entry, ids and slugs; write.
   * Unchanged products are not written.
   */
  private async upsert(call: CallOf<typeof contract>): Promise<UpsertResult> {
    const { items, rejected, processed } = call.body
    const rejectsRows = call.settings.erp_error_policy === 'reject_failed_rows'
    const mode = call.replace ? 'replace' : 'merge'
    const groups = groupByKey(items)
    const keys = [...groups.keys()]
    const linked = new Set(items.map((item) => item.category_id_erp).filter(hasCategory))
    const omit = items.every(isShort) ? CONTENT : []
    const [{ docs: stored, unread }, known, receivedAt] = await Promise.all([
      this.products.readSlice(keys, omit),
      this.categories.findKnown(linked),
      this.media.now(),
      this.attributes.ensure(attributeNames(items)),
    ])
    const unknown = [...linked].filter((erpId) => !known.has(erpId))
    await this.awaited.record(unknown)
    const plan = (key: string, product: ProductDocument | undefined): ProductPlan => {
      const planned = planProduct(groups.get(key) ?? [], product, (erpId) => known.has(erpId), mode)
      if (planned.oversized.length > 0 && !rejectsRows) throw contractViolation({ products: [oversizedText(key)] })
      return planned
    }
    // a batch that is written in slices is rejected as a whole, too
    if (!rejectsRows) await this.planAll(keys, { docs: stored, unread }, omit, plan)
    const slugs = this.writer.slugs.forBatch(groups, slugSource, 'product')
    const oversized = new Map<string, ProductItem[]>()
    const outcomes = await this.writer.write({
      kind: 'product.upserted',
      keys,
      stored,
      unread,
      omit,
      slugs,
      plan: (key, product) => {
        const planned = plan(key, product)
        if (planned.oversized.length > 0) oversized.set(key, planned.oversized)
        else oversized.delete(key)
        return planned.decision
      },
    })
    // a category that has arrived since may have missed the products of this batch
    if (unknown.length > 0) await this.awaited.recordAgain(await this.categories.findKnown(unknown))
    const skipped = new Set([...oversized.values()].flat())
    const saved = skipped.size === 0 ? items : items.filter((item) => !skipped.has(item))
    const savedGroups = skipped.size === 0 ? groups : groupByKey(saved)
    const requests = imageRequests(savedGroups, outcomes)
    const images = await this.media.requestForBatch(call, requests, 'images', receivedAt)
    const created = [...outcomes.values()].filter(({ isCreated }) => isCreated).length
    const errors = errorEntries(
      [...rejected, ...[...skipped].map(toRejected)],
      saved,
      images.failed,
      (item) => [...slugNotes(item, slugs, outcomes.get(item.id_erp)), ...categoryNotes(item, known)],
      call.details,
    )
    const result = { processed, created, updated: saved.length - created, errors }
    for (const item of skipped)
      call.details?.addFor(item, item.id_erp, { code: 'too_large', message: oversizedText(item.id_erp) })
    // for information only: not in `errors`
    for (const item of call.details ? saved : [])
      for (const note of repeatNotes(item)) call.details?.addFor(item, item.id_erp, note)
    return completeResult(result, countUnchanged(saved, outcomes, images.changed), call.details)
  }

  /** Plans every item of a batch that does not fit into one slice, so that one that is refused refuses all of them. */
  private async planAll(
    keys: readonly string[],
    first: { docs: ReadonlyMap<string, ProductDocument>; unread: string[] },
    omit: readonly (keyof ProductDocument)[],
    plan: (key: string, product: ProductDocument | undefined) => ProductPlan,
  ): Promise<void> {
    if (first.unread.length === 0) return
    const unseen = new Set(keys)
    for (let slice = first; ; slice = await this.products.readSlice(slice.unread, omit)) {
      for (const [key, product] of slice.docs) {
        unseen.delete(key)
        plan(key, product)
      }
      if (slice.unread.length === 0) break
    }
    for (const key of unseen) plan(key, undefined)
  }
}

/** What may be large. */
const CONTENT = ['description', 'attributes', 'category_erp_ids', 'media'] as const

/** The item leaves the content of its product as it is, so that it need not be read. */
function isShort(item: ProductItem): boolean {
  const { description_full, description_short, category_id_erp, attributes } = item
  const sent = [description_full, description_short, category_id_erp, attributes]
  return sent.every((value) => value === undefined)
}

function* attributeNames(items: readonly ProductItem[]): Iterable<string> {
  for (const { attributes } of items) for (const { name } of attributes ?? []) yield name
}

function slugSource({ name, article }: ProductItem): string {
  return article ? `${name} ${article}` : name
}

function toRejected({ id_erp }: ProductItem): RejectedItem {
  return { id: id_erp, message: oversizedText(id_erp) }
}

function oversizedText(erpId: string): string {
  return `The attributes, description and categories of product ${erpId} must not be larger than 7 MiB.`
}

function repeatNotes({ attributes }: ProductItem): ItemNote[] {
  return findRepeated(attributes ?? []).map((at) => ({
    code: 'attribute_repeated',
    path: `attributes.${at}.value`,
    message: `Attribute ${attributes?.[at]?.name} is repeated with another value; its last value is stored.`,
  }))
}

function categoryNotes(item: ProductItem, known: ReadonlySet<string>): ItemNote[] {
  const erpId = item.category_id_erp
  if (!hasCategory(erpId) || known.has(erpId)) return []
  return [{ code: 'category_not_found', path: 'category_id_erp', message: `Category with id_erp=${erpId} not found.` }]
}

/**
 * Absent leaves the images, null or an empty list clears them, a list replaces them (erp.md#products-9). Of several
 * items of one key the last one with `images` decides. A new product has nothing to clear.
 */
function imageRequests(
  groups: ReadonlyMap<string, readonly ProductItem[]>,
  outcomes: ReadonlyMap<string, Outcome>,
): MediaRequest[] {
  const requests: MediaRequest[] = []
  for (const [erp_id, items] of groups) {
    const source = items.findLast((item) => item.images !== undefined)
    const images = source?.images
    const outcome = outcomes.get(erp_id)
    if (!source || images === undefined || !outcome) continue
    if ((images === null || images.length === 0) && outcome.isCreated) continue
    requests.push({
      item: 'product',
      erp_id,
      item_rev: outcome.rev,
      isUnwritten: !outcome.isWritten,
      isContested: outcome.isContested ?? false,
      source,
      images: (images ?? []).map((image, at) => ({
        url: image.url,
        sort_order: image.sort_order ?? at,
        is_main: image.is_main ?? false,
      })),
    })
  }
  return requests
}
