import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import type { CategoryDocument } from './category-document.js'
import { CategoryStore, CategoryWriter, type PendingParent } from './category-store.js'
import {
  type ParentOutcome,
  type ParentPlan,
  type ParentRequest,
  type ParentState,
  planParents,
} from './plan-parents.js'

const LEASE = { leaseMs: 10_000, waitMs: 12_000 }
/**
 * A batch may read and plan for this long: a holder of the lease that took longer could write beside the next one. It
 * is reached by a tree of some thousand levels.
 */
const MUST_PLAN_WITHIN_MS = 5_000
/** Waiting categories in one step of the sweep. */
const PAGE = 1_000
/** Large fields. */
const NOT_NEEDED = ['description', 'media'] as const

/** Sets the parents of categories, and those of categories whose parent arrives later. */
@Injectable()
export class ParentLinks {
  private sweptTo = ''

  constructor(
    private readonly categories: CategoryStore,
    private readonly writer: CategoryWriter,
    private readonly leases: LeaseStore,
  ) {}

  /**
   * Nothing is locked when nothing would change. Otherwise one process at a time reads, plans and writes, so that two
   * batches cannot close a cycle together.
   * @param moved gets the keys of the categories that are written
   * @returns one outcome for each request
   * @throws AppError OVERLOADED when the lease is not free in time, or the tree is too deep to be read and planned in
   * time; the categories themselves are saved
   */
  async setParents(requests: readonly ParentRequest[], moved?: Set<string>): Promise<ParentOutcome[]> {
    if (requests.length === 0) return []
    const { stored, plan } = await this.plan(requests)
    if (changedKeys(stored, plan).length === 0) return plan.outcomes
    return this.leases.withLease('category-parents', LEASE, async (signal) => {
      const { stored: current, plan: final } = await this.plan(requests)
      await this.writePlan(current, final, signal)
      for (const key of moved ? changedKeys(current, final) : []) moved?.add(key)
      return final.outcomes
    })
  }

  private async plan(requests: readonly ParentRequest[]) {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new AppError('OVERLOADED', texts.unavailable)), MUST_PLAN_WITHIN_MS)
    try {
      const stored = await this.readTree(requests, late.signal)
      return { stored, plan: await planParents(stored, requests, late.signal) }
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Links the categories that wait for one of these parents, if it has arrived; a link that would close a cycle by now
   * is dropped (erp.md#categories-4). Called after a batch created a parent and after a batch stored a waiting child,
   * each after its own write: so one of the two sees the other.
   */
  async linkPendingParents(parents: readonly string[]): Promise<void> {
    if (parents.length > 0) await this.linkArrived(await this.categories.findWaitingFor(parents))
  }

  /** Links the next page of waiting categories, in case a process was killed between its two writes. */
  async sweepPendingParents(): Promise<void> {
    const waiting = await this.categories.findWaiting(this.sweptTo, PAGE)
    this.sweptTo = waiting.length === PAGE ? (waiting.at(-1)?.child ?? '') : ''
    await this.linkArrived(waiting)
  }

  private async linkArrived(waiting: readonly PendingParent[]): Promise<void> {
    if (waiting.length === 0) return
    const known = await this.categories.findKnown(waiting.map(({ parent }) => parent))
    const requests = waiting.filter(({ parent }) => known.has(parent))
    await this.setParents(requests.toSorted((a, b) => (a.child < b.child ? -1 : 1)))
  }

  /** The children, the requested parents and all their ancestors, level by level. */
  private async readTree(
    requests: readonly ParentRequest[],
    signal: AbortSignal,
  ): Promise<Map<string, CategoryDocument>> {
    const tree = new Map<string, CategoryDocument>()
    const read = new Set<string>()
    let level = new Set(requests.flatMap(({ child, parent }) => (parent === null ? [child] : [child, parent])))
    while (level.size > 0) {
      signal.throwIfAborted()
      for (const key of level) read.add(key)
      const found = await this.categories.findByErpIds([...level], NOT_NEEDED)
      level = new Set()
      for (const [key, doc] of found) {
        tree.set(key, doc)
        if (doc.parent_erp_id !== null && !read.has(doc.parent_erp_id)) level.add(doc.parent_erp_id)
      }
    }
    return tree
  }

  private async writePlan(stored: Map<string, CategoryDocument>, plan: ParentPlan, signal: AbortSignal): Promise<void> {
    await this.writer.write({
      kind: 'category.upserted',
      omit: NOT_NEEDED,
      keys: changedKeys(stored, plan),
      stored,
      plan: (key, doc) => {
        // a contested write is planned again, maybe after the lease has ended
        signal.throwIfAborted()
        const state = plan.states.get(key)
        const changes = doc && state ? parentChanges(doc, state) : {}
        if (Object.keys(changes).length === 0) return { kind: 'none' }
        // a pending parent is not visible from outside
        return { kind: 'update', changes, changed: changes.parent_erp_id === undefined ? [] : ['parent_id'] }
      },
    })
  }
}

function changedKeys(stored: ReadonlyMap<string, ParentState>, plan: ParentPlan): string[] {
  return [...plan.states].flatMap(([key, state]) => {
    const before = stored.get(key)
    return before && Object.keys(parentChanges(before, state)).length > 0 ? [key] : []
  })
}

function parentChanges(before: ParentState, after: ParentState): Partial<ParentState> {
  return {
    ...(before.parent_erp_id !== after.parent_erp_id && { parent_erp_id: after.parent_erp_id }),
    ...(before.pending_parent_erp_id !== after.pending_parent_erp_id && {
      pending_parent_erp_id: after.pending_parent_erp_id,
    }),
  }
}
