import { upsertProducts } from '@partsbus/contracts/catalog'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { ProductItem } from '@partsbus/contracts/product'
import type { CallOf } from '@partsbus/platform/call'
import type { CatalogContext } from '../context.js'
import { BatchNote } from '../events/batch-note.js'
import { collectEntries } from '../items/collect-entries.js'
import { groupByKey } from '../items/group-by-key.js'
import { newBatchId } from '../items/new-batch-id.js'
import { writeItems } from '../items/write-items.js'
import { attachMedia } from '../items/attach-media.js'
import { SlugChoice } from '../slugs/slug-choice.js'
import { type SlugWish, slugWish } from '../slugs/slug-wish.js'
import { hasCategory, planProduct } from './plan-product.js'
import { productEntries } from './product-entries.js'
import { productImages } from './product-images.js'

const FALLBACK_SLUG = 'product'

/**
 * Creates or updates products (ERP document, `POST /products/batch-upsert`).
 * Four database round trips when nobody interferes: read, note + ids, write; unchanged items are not written.
 */
export async function upsertProductBatch(ctx: CatalogContext, call: CallOf<typeof upsertProducts>): Promise<ReplyOf<typeof upsertProducts>> {
  const { items, rejected, processed } = call.body
  const groups = groupByKey(items)
  const keys = [...groups.keys()]
  const [known, categories] = await Promise.all([
    ctx.products.findByErpIds(keys),
    ctx.categories.knownAmong(items.map((item) => item.category_id_erp).filter(hasCategory)),
  ])
  const slugs = new SlugChoice({ kind: 'product', counters: ctx.counters, inUse: (some) => ctx.products.slugsInUse(some) })
  const wishes = new Map<string, SlugWish>()
  const saved = new Map<string, string>()
  const note = new BatchNote(ctx, 'product.upserted', newBatchId())
  const written = await writeItems(ctx.products, known, {
    batch: note.batch,
    keys,
    decide: (key, stored) => planProduct(groups.get(key) ?? [], stored, (slug) => {
      const wish = wishOf(wishes, key, groups.get(key) ?? [])
      const chosen = slugs.choose(key, wish, slug)
      saved.set(key, chosen)
      return chosen
    }),
    beforeWrite: async (planned) => {
      await Promise.all([note.write(planned), ctx.attributes.ensure(attributeNames(items))])
    },
    takeIds: (count) => ctx.counters.take('product', count),
    refuseSlugs: (refused) => slugs.refuse(refused),
  })
  note.publishLater(written)
  const failed = await attachMedia(ctx, call, productImages(groups, (key) => known.get(key)?.media_rev ?? 0))
  const created = [...written.values()].filter((one) => one.created).length
  const errors = collectEntries(rejected, items, failed, (item) => {
    const wish = wishes.get(item.id_erp)
    return wish ? productEntries(item, wish, saved.get(item.id_erp) ?? '', (erpId) => categories.has(erpId)) : []
  })
  return { processed, created, updated: items.length - created, errors }
}

function wishOf(wishes: Map<string, SlugWish>, key: string, items: readonly ProductItem[]): SlugWish {
  let wish = wishes.get(key)
  if (!wish) wishes.set(key, wish = slugWish(items, (item) => (item.article ? `${item.name} ${item.article}` : item.name), FALLBACK_SLUG))
  return wish
}

function* attributeNames(items: readonly ProductItem[]): Iterable<string> {
  for (const item of items) for (const attribute of item.attributes ?? []) yield attribute.name
}
