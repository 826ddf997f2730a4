import { Injectable } from '@nestjs/common'
import type { RejectedItem } from '@partsbus/contracts/batch'
import type { upsertProducts as contract } from '@partsbus/contracts/catalog/commands'
import type { ProductItem } from '@partsbus/contracts/catalog/product'
import type { ItemNote } from '@partsbus/contracts/result-details'
import type { UpsertResult } from '@partsbus/contracts/result'
import { contractViolation } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { AwaitedCategoryStore } from '../categories/awaited-category-store.js'
import { CategoryStore } from '../categories/category-store.js'
import { completeResult, countUnchanged, errorEntries, groupByKey, slugNotes } from '../items/batch-items.js'
import type { Decision } from '../items/item-document.js'
import type { Outcome } from '../items/item-writer.js'
import { MediaRequests, type MediaRequest } from '../media/media-requests.js'
import type { BatchSlugs } from '../slugs/slug-allocator.js'
import { AttributeStore } from './attribute-store.js'
import { hasCategory, planProduct } from './plan-product.js'
import type { ProductDocument } from './product-document.js'
import { ProductStore, ProductWriter } from './product-store.js'
import { isStamped, SentContent } from './sent-content.js'

/** Stamps are read for batches of at least this many products; for smaller ones a round trip costs more. */
const MIN_REPEATS = 100

/** The stored products of a batch. */
interface StoredProducts {
  /** read as a whole, by ERP id */
  whole: Map<string, ProductDocument>
  /** those that the ERP sends again as they are, by ERP id; they are not read */
  repeated: Map<string, Outcome>
  areStampsRead: boolean
}

@Injectable()
export class UpsertProducts {
  /**
   * Whether the stamps of the products are read before the products, as they are after a batch that was mostly
   * unchanged. Reading stamps takes a third of the time, and is lost time where products have changed.
   */
  private expectsRepeats = false

  constructor(
    private readonly products: ProductStore,
    private readonly writer: ProductWriter,
    private readonly attributes: AttributeStore,
    private readonly categories: CategoryStore,
    private readonly awaited: AwaitedCategoryStore,
    private readonly media: MediaRequests,
  ) {}

  /**
   * Writes the products, then requests their images (erp.md#products). Three round trips to the database when no other
   * batch interferes: read; outbox entry, ids and slugs; write. Unchanged products are not written, and after a batch
   * of mostly unchanged ones they are not read either.
   */
  async upsertProducts(call: CallOf<typeof contract>): Promise<UpsertResult> {
    const { items, rejected, processed } = call.body
    const rejectsRows = call.settings.erp_error_policy === 'reject_failed_rows'
    const mode = call.replace ? 'replace' : 'merge'
    const groups = groupByKey(items)
    const keys = [...groups.keys()]
    const content = new SentContent(groups, mode)
    const slugs = this.writer.slugs.forBatch(groups, slugSource, 'product')
    const linked = new Set(items.map((item) => item.category_id_erp).filter(hasCategory))
    const [stored, known] = await Promise.all([
      this.readStored(keys, content, slugs),
      this.categories.findKnown(linked),
      this.attributes.ensure(attributeNames(items)),
    ])
    const unknown = [...linked].filter((erpId) => !known.has(erpId))
    await this.awaited.record(unknown)
    const oversized = new Map<string, ProductItem[]>()
    const outcomes = await this.writer.write({
      kind: 'product.upserted',
      keys: stored.repeated.size === 0 ? keys : keys.filter((key) => !stored.repeated.has(key)),
      stored: stored.whole,
      slugs,
      plan: (key, product) => {
        const plan = planProduct(groups.get(key) ?? [], product, (erpId) => known.has(erpId), mode)
        if (plan.oversized.length > 0 && !rejectsRows) throw contractViolation({ products: [oversizedText(key)] })
        if (plan.oversized.length > 0) oversized.set(key, plan.oversized)
        else oversized.delete(key)
        if (plan.oversized.length === 0 && plan.decision.kind !== 'none')
          addStamp(plan.decision, content.nextStamp(key, product))
        return plan.decision
      },
    })
    this.noteRepeats(stored, outcomes)
    for (const [key, outcome] of stored.repeated) outcomes.set(key, outcome)
    // a category that has arrived since may have missed the products of this batch
    if (unknown.length > 0) await this.awaited.recordAgain(await this.categories.findKnown(unknown))
    const skipped = new Set([...oversized.values()].flat())
    const saved = skipped.size === 0 ? items : items.filter((item) => !skipped.has(item))
    const savedGroups = skipped.size === 0 ? groups : groupByKey(saved)
    const failedImages = await this.media.requestForBatch(call, imageRequests(savedGroups, outcomes), 'images')
    const created = [...outcomes.values()].filter(({ isCreated }) => isCreated).length
    const errors = errorEntries(
      [...rejected, ...[...skipped].map(toRejected)],
      saved,
      failedImages,
      (item) => [...slugNotes(item, slugs, outcomes.get(item.id_erp)), ...categoryNotes(item, known)],
      call.details,
    )
    const result = { processed, created, updated: saved.length - created, errors }
    for (const item of skipped)
      call.details?.addFor(item, item.id_erp, { code: 'too_large', message: oversizedText(item.id_erp) })
    return completeResult(result, countUnchanged(saved, outcomes), call.details)
  }

  private async readStored(keys: string[], content: SentContent, slugs: BatchSlugs): Promise<StoredProducts> {
    const repeated = new Map<string, Outcome>()
    const areStampsRead = this.expectsRepeats && keys.length >= MIN_REPEATS
    if (!areStampsRead) return { whole: await this.products.findByErpIds(keys), repeated, areStampsRead }
    const others: string[] = []
    for (const product of await this.products.findStamps(keys)) {
      const { _id: key, id, rev, slug } = product
      if (content.isRepeated(product) && !slugs.isRequested({ key, stored: slug }))
        repeated.set(key, { id, rev, slug, isCreated: false, isWritten: false, changed: [] })
      else others.push(key)
    }
    return { whole: await this.products.findByErpIds(others), repeated, areStampsRead }
  }

  private noteRepeats(stored: StoredProducts, outcomes: ReadonlyMap<string, Outcome>): void {
    const { whole, repeated, areStampsRead } = stored
    const found = whole.size + repeated.size
    if (found < MIN_REPEATS) return
    let count = repeated.size
    if (!areStampsRead)
      for (const [key, product] of whole) if (isStamped(product) && !outcomes.get(key)?.isWritten) count += 1
    this.expectsRepeats = count * 2 > found
  }
}

function addStamp(decision: Decision<ProductDocument>, sent: string): void {
  if (decision.kind === 'create') decision.fields.sent = sent
  if (decision.kind === 'update') decision.changes.sent = sent
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
