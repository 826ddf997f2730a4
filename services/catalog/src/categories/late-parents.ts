import type { CatalogContext } from '../context.js'
import type { CategoryDocument } from './category-document.js'
import { linkParents } from './link-parents.js'

/** Categories that wait for a parent looked through at once. */
const PAGE = 1_000

type Waiting = Pick<CategoryDocument, '_id' | 'pending_parent_erp_id'>

/**
 * Links what waited for these parents, as far as they have arrived; a link that would form a cycle by now is dropped
 * (erp.md#categories-4). Called by whoever creates a category, and by whoever waits for one, each after
 * its own write: so one of them sees the other.
 */
export async function linkLateParents(ctx: CatalogContext, parents: readonly string[]): Promise<void> {
  if (parents.length === 0) return
  const waiting = await ctx.categories.collection
    .find<Waiting>({ pending_parent_erp_id: { $in: [...parents] } }, { projection: { pending_parent_erp_id: 1 } })
    .toArray()
  await linkArrived(ctx, waiting)
}

/** Goes through all that waits, a page at a time, for the case that a process was killed between its two steps. @returns the sweep */
export function lateParentsSweep(ctx: CatalogContext): () => Promise<void> {
  let after = ''
  return async () => {
    const waiting = await ctx.categories.collection
      .find<Waiting>(
        { pending_parent_erp_id: { $type: 'string' }, _id: { $gt: after } },
        { projection: { pending_parent_erp_id: 1 } },
      )
      .sort({ _id: 1 })
      .limit(PAGE)
      .toArray()
    after = waiting.length === PAGE ? (waiting.at(-1)?._id ?? '') : ''
    await linkArrived(ctx, waiting)
  }
}

async function linkArrived(ctx: CatalogContext, waiting: readonly Waiting[]): Promise<void> {
  if (waiting.length === 0) return
  const arrived = await ctx.categories.knownAmong(waiting.flatMap(({ pending_parent_erp_id: parent }) => parent ?? []))
  const wishes = waiting.flatMap(({ _id, pending_parent_erp_id: parent }) =>
    parent !== null && arrived.has(parent) ? [{ child: _id, parent }] : [],
  )
  await linkParents(
    ctx,
    wishes.sort((a, b) => (a.child < b.child ? -1 : 1)),
  )
}
