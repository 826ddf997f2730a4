import type { upsertCategories } from '@partsbus/contracts/catalog'
import type { CategoryItem } from '@partsbus/contracts/category'
import type { ReplyOf } from '@partsbus/contracts/message'
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
import { categoryImages } from './category-images.js'
import { linkLateParents } from './late-parents.js'
import { linkParents } from './link-parents.js'
import type { ParentOutcome } from './parent-edges.js'
import { parentWishes } from './parent-wishes.js'
import { planCategory } from './plan-category.js'

/**
 * Creates or updates categories, then sets their parents in a second pass (erp.md#categories).
 */
export async function upsertCategoryBatch(
  ctx: CatalogContext,
  call: CallOf<typeof upsertCategories>,
): Promise<ReplyOf<typeof upsertCategories>> {
  const { items, rejected, processed } = call.body
  const groups = groupByKey(items)
  const keys = [...groups.keys()]
  const known = await ctx.categories.findByErpIds(keys)
  const choice = new SlugChoice({
    kind: 'category',
    counters: ctx.counters,
    inUse: (some) => ctx.categories.slugsInUse(some),
  })
  const slugs = new SlugWishes(choice, groups, (item) => item.name, 'category')
  const note = new BatchNote(ctx, 'category.upserted', newBatchId())
  const written = await writeItems(ctx.categories, known, {
    batch: note.batch,
    keys,
    decide: (key, stored) => planCategory(groups.get(key) ?? [], stored, (slug) => slugs.choose(key, slug)),
    beforeWrite: (planned) => note.write(planned),
    takeIds: (count) => ctx.counters.allocate('category', count),
    refuseSlugs: (refused) => choice.refuse(refused),
  })
  note.publishLater(written)
  const wishes = parentWishes(items)
  const outcomes = await linkParents(ctx, wishes)
  const missing = wishes.flatMap(({ parent }, at) => (parent !== null && outcomes[at] === 'missing' ? parent : []))
  const arrived = [...written].filter(([, { created }]) => created).map(([key]) => key)
  await linkLateParents(ctx, [...new Set([...arrived, ...missing])])
  const failed = await attachMedia(
    ctx,
    call,
    categoryImages(groups, (key) => written.get(key)?.created === true),
  )
  const outcomeOf = new Map(wishes.map(({ item }, at) => [item, outcomes[at]]))
  const errors = collectEntries(rejected, items, failed, (item) => categoryEntries(item, slugs, outcomeOf.get(item)))
  return { processed, created: arrived.length, updated: items.length - arrived.length, errors }
}

function categoryEntries(
  item: CategoryItem,
  slugs: SlugWishes<CategoryItem>,
  parent: ParentOutcome | undefined,
): string[] {
  const entries: string[] = []
  const aboutSlug = slugs.entryOf(item.id_erp, item)
  if (aboutSlug) entries.push(aboutSlug)
  if (parent === 'missing') entries.push(`Parent category with id_erp=${item.parent_id_erp} not found.`)
  if (parent === 'cycle') entries.push('Category parent would form a cycle.')
  return entries
}
