import type { upsertProducts } from '@partsbus/contracts/catalog'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { ProductItem } from '@partsbus/contracts/product'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { BatchNote } from '../events/batch-note.js'
import { attachMedia } from '../items/attach-media.js'
import { collectEntries } from '../items/collect-entries.js'
import { groupByKey } from '../items/group-by-key.js'
import { newBatchId } from '../items/new-batch-id.js'
import { writeItems } from '../items/write-items.js'
import { SlugChoice } from '../slugs/slug-choice.js'
import { SlugWishes } from '../slugs/slug-wishes.js'
import { hasCategory, planProduct } from './plan-product.js'
import { productImages } from './product-images.js'

/**
 * Creates or updates products (erp.md#products).
 * Three steps of the database when nobody interferes: read; note and ids; write. Unchanged items are not written.
 */
export async function upsertProductBatch(
  ctx: CatalogContext,
  call: CallOf<typeof upsertProducts>,
): Promise<ReplyOf<typeof upsertProducts>> {
  const { items, rejected, processed } = call.body
  const groups = groupByKey(items)
  const keys = [...groups.keys()]
  const [known, categories] = await Promise.all([
    ctx.products.findByErpIds(keys),
    ctx.categories.knownAmong(items.map((item) => item.category_id_erp).filter(hasCategory)),
  ])
  const choice = new SlugChoice({
    kind: 'product',
    counters: ctx.counters,
    inUse: (some) => ctx.products.slugsInUse(some),
  })
  const slugs = new SlugWishes(
    choice,
    groups,
    (item) => (item.article ? `${item.name} ${item.article}` : item.name),
    'product',
  )
  const note = new BatchNote(ctx, 'product.upserted', newBatchId())
  const written = await writeItems(ctx.products, known, {
    batch: note.batch,
    keys,
    decide: (key, stored) => planProduct(groups.get(key) ?? [], stored, (slug) => slugs.choose(key, slug)),
    beforeWrite: async (planned) => {
      await Promise.all([note.write(planned), ctx.attributes.ensure(attributeNames(items))])
    },
    takeIds: (count) => ctx.counters.allocate('product', count),
    refuseSlugs: (refused) => choice.refuse(refused),
  })
  note.publishLater(written)
  const failed = await attachMedia(
    ctx,
    call,
    productImages(groups, (key) => written.get(key)?.created === true),
  )
  const created = [...written.values()].filter((one) => one.created).length
  const errors = collectEntries(rejected, items, failed, (item) => productEntries(item, slugs, categories))
  return { processed, created, updated: items.length - created, errors }
}

function productEntries(item: ProductItem, slugs: SlugWishes<ProductItem>, categories: Set<string>): string[] {
  const entries: string[] = []
  const aboutSlug = slugs.entryOf(item.id_erp, item)
  if (aboutSlug) entries.push(aboutSlug)
  if (hasCategory(item.category_id_erp) && !categories.has(item.category_id_erp)) {
    entries.push(`Category with id_erp=${item.category_id_erp} not found.`)
  }
  return entries
}

function* attributeNames(items: readonly ProductItem[]): Iterable<string> {
  for (const item of items) for (const attribute of item.attributes ?? []) yield attribute.name
}
