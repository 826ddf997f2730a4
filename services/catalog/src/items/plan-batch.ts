import type { BatchEventKind } from '../events/event-messages.js'
import type { BatchSlugs, SlugClaim } from '../slugs/slug-allocator.js'
import { type Decision, type Fields, isRecent, type ItemDocument } from './item-document.js'

/** The state of one item after a batch. */
export interface Outcome {
  id: number
  rev: number
  slug: string
  isCreated: boolean
  /** false when the batch changed nothing */
  isWritten: boolean
  /** another batch wrote the item so recently that it may still be at work; missing when this one created it */
  isContested?: boolean
  /** names of the changed fields as events report them; empty for a created item */
  changed: string[]
}

export interface ItemBatch<Doc extends ItemDocument> {
  kind: BatchEventKind
  /** distinct, in the order sent */
  keys: readonly string[]
  /** the stored documents of the keys, as just read */
  stored: ReadonlyMap<string, Doc>
  /** keys whose documents did not fit into memory beside the others; they are read and written in later slices */
  unread?: readonly string[]
  /** fields that the rules do not need; they are not read */
  omit?: readonly (keyof Doc)[]
  /** the rules: pure, and repeated when another batch changed the item in between */
  plan(key: string, stored: Doc | undefined): Decision<Doc>
  /** for batches that create items or change slugs */
  slugs?: BatchSlugs
}

export interface Create<Doc extends ItemDocument> {
  key: string
  fields: Fields<Doc>
}

export interface Update<Doc extends ItemDocument> {
  key: string
  stored: Doc
  changes: Partial<Fields<Doc>>
  /** the new slug, if it changes */
  slug: string | undefined
  changed: string[]
}

export interface Plan<Doc extends ItemDocument> {
  creates: Create<Doc>[]
  updates: Update<Doc>[]
  claims: SlugClaim[]
}

/** Applies the rules. @param outcomes gets those of the items that do not change */
export function planAll<Doc extends ItemDocument>(
  keys: readonly string[],
  stored: ReadonlyMap<string, Doc>,
  { plan: applyRules, slugs }: ItemBatch<Doc>,
  outcomes: Map<string, Outcome>,
): Plan<Doc> {
  const plan: Plan<Doc> = { creates: [], updates: [], claims: [] }
  for (const key of keys) {
    const known = stored.get(key)
    const decision = applyRules(key, known)
    if (decision.kind === 'create') {
      plan.creates.push({ key, fields: decision.fields })
      plan.claims.push({ key, stored: undefined })
    } else if (known) {
      const claim = { key, stored: known.slug }
      const isClaimed = slugs?.isRequested(claim) ?? false
      if (isClaimed) plan.claims.push(claim)
      const { changes, changed } = decision.kind === 'update' ? decision : { changes: {}, changed: [] }
      if (decision.kind === 'update' || isClaimed)
        plan.updates.push({ key, stored: known, changes, changed, slug: undefined })
      else outcomes.set(key, unchanged(known))
    }
  }
  return plan
}

/** Adds the new slugs to the updates. @returns those that change something */
export function withSlugs<Doc extends ItemDocument>(
  plan: Plan<Doc>,
  slugs: BatchSlugs | undefined,
  outcomes: Map<string, Outcome>,
): Update<Doc>[] {
  const claimed = new Set(plan.claims.map(({ key }) => key))
  return plan.updates.filter((update) => {
    const slug = claimed.has(update.key) ? slugs?.slugOf(update.key) : undefined
    if (slug !== undefined && slug !== update.stored.slug) {
      update.slug = slug
      update.changed = [...update.changed, 'slug']
    }
    if (update.slug !== undefined || Object.keys(update.changes).length > 0) return true
    outcomes.set(update.key, unchanged(update.stored))
    return false
  })
}

/** As the outbox records them. */
export function* plannedItems<Doc extends ItemDocument>(
  creates: readonly Create<Doc>[],
  updates: readonly Update<Doc>[],
): Iterable<{ erpId: string; isCreated: boolean; changed: string[]; rev: number }> {
  for (const { key } of creates) yield { erpId: key, isCreated: true, changed: [], rev: 1 }
  for (const { key, stored, changed } of updates) yield { erpId: key, isCreated: false, changed, rev: stored.rev + 1 }
}

export function unchanged(stored: ItemDocument): Outcome {
  const { id, rev, slug } = stored
  const isContested = isRecent(stored, new Date())
  return { id, rev, slug, isCreated: false, isWritten: false, isContested, changed: [] }
}
