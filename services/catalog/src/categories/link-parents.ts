import { AppError, texts } from '@partsbus/contracts/errors'
import type { CatalogContext } from '../context.js'
import { BatchNote } from '../events/batch-note.js'
import { newBatchId } from '../items/new-batch-id.js'
import { writeItems } from '../items/write-items.js'
import type { CategoryDocument } from './category-document.js'
import { type ParentOutcome, type ParentPlan, type ParentPlace, type ParentWish, planParents } from './parent-edges.js'

const LEASE = { leaseMs: 10_000, waitMs: 12_000 }
/** A holder this slow lets go rather than write beside the next one. */
const MUST_WRITE_WITHIN_MS = 5_000

/**
 * Sets parents. Nothing is locked when nothing would change; else one process at a time reads, decides and writes,
 * so that two batches cannot close a cycle together.
 * @returns one outcome a wish
 * @throws AppError OVERLOADED when the lease cannot be had in time; the categories themselves are saved
 */
export async function linkParents(ctx: CatalogContext, wishes: readonly ParentWish[]): Promise<ParentOutcome[]> {
  if (wishes.length === 0) return []
  const seen = await readTree(ctx, wishes)
  const plan = planParents(seen, wishes)
  if (moved(seen, plan).length === 0) return plan.outcomes
  return ctx.leases.withLease('category-parents', LEASE, async () => {
    const start = performance.now()
    const stored = await readTree(ctx, wishes)
    const now = planParents(stored, wishes)
    if (performance.now() - start > MUST_WRITE_WITHIN_MS) throw new AppError('OVERLOADED', texts.unavailable)
    await writePlaces(ctx, stored, now)
    return now.outcomes
  })
}

/** The children, the wished parents and all ancestors, level by level. */
async function readTree(ctx: CatalogContext, wishes: readonly ParentWish[]): Promise<Map<string, CategoryDocument>> {
  const tree = new Map<string, CategoryDocument>()
  const asked = new Set<string>()
  let level = new Set(wishes.flatMap(({ child, parent }) => (parent === null ? [child] : [child, parent])))
  while (level.size > 0) {
    for (const key of level) asked.add(key)
    const found = await ctx.categories.findByErpIds([...level])
    level = new Set()
    for (const [key, doc] of found) {
      tree.set(key, doc)
      if (doc.parent_erp_id !== null && !asked.has(doc.parent_erp_id)) level.add(doc.parent_erp_id)
    }
  }
  return tree
}

function moved(stored: ReadonlyMap<string, ParentPlace>, plan: ParentPlan): string[] {
  return [...plan.places].filter(([key, place]) => isMoved(stored.get(key), place)).map(([key]) => key)
}

function isMoved(stored: ParentPlace | undefined, place: ParentPlace): boolean {
  return (
    stored !== undefined &&
    (stored.parent_erp_id !== place.parent_erp_id || stored.pending_parent_erp_id !== place.pending_parent_erp_id)
  )
}

async function writePlaces(
  ctx: CatalogContext,
  stored: Map<string, CategoryDocument>,
  plan: ParentPlan,
): Promise<void> {
  const note = new BatchNote(ctx, 'category.upserted', newBatchId())
  const written = await writeItems(ctx.categories, stored, {
    batch: note.batch,
    keys: moved(stored, plan),
    decide: (key, doc) => {
      const place = plan.places.get(key)
      return doc && place && isMoved(doc, place) ? { kind: 'change', changes: changesOf(doc, place) } : { kind: 'same' }
    },
    beforeWrite: (planned) => note.write(planned),
  })
  note.publishLater(written)
}

function changesOf(doc: ParentPlace, place: ParentPlace): Partial<ParentPlace> {
  return {
    ...(doc.parent_erp_id !== place.parent_erp_id && { parent_erp_id: place.parent_erp_id }),
    ...(doc.pending_parent_erp_id !== place.pending_parent_erp_id && {
      pending_parent_erp_id: place.pending_parent_erp_id,
    }),
  }
}
