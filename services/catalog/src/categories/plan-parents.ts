import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CategoryItem } from '@partsbus/contracts/catalog/category'

/** The parent that one item requests; null makes it a root. */
export interface ParentRequest {
  child: string
  parent: string | null
}

/** `linked`: set, or made a root. `missing`: the parent does not exist yet. `cycle`: the link would close a cycle. */
export type ParentOutcome = 'linked' | 'missing' | 'cycle'

/** The parent of a category, and the parent that it waits for. */
export interface ParentState {
  parent_erp_id: string | null
  pending_parent_erp_id: string | null
}

export interface ParentPlan {
  /** one for each request, in their order */
  outcomes: ParentOutcome[]
  /** by child */
  states: Map<string, ParentState>
}

/** Categories that are looked at between two turns of the event loop: a few ms. */
const SLICE = 20_000

/** Absent: no request. Null or blank: a root (erp.md#categories-4). */
export function parentRequests(items: readonly CategoryItem[]): Array<ParentRequest & { item: CategoryItem }> {
  return items.flatMap((item) => {
    const sent = item.parent_id_erp
    if (sent === undefined) return []
    return { item, child: item.id_erp, parent: sent === null || sent.trim() === '' ? null : sent }
  })
}

/**
 * Applies requests in their order (erp.md#categories-4 to erp.md#categories-6).
 * A request that would close a cycle is tried again after the others, so that one batch can turn a tree around;
 * if it closes one even then, it is not applied.
 * The time grows with the requests and with the depth of the tree; other calls are served meanwhile.
 * @param stored every existing category among the children, the requested parents and their ancestors
 * @param signal ends the work
 * @throws the signal's reason
 */
export async function planParents(
  stored: ReadonlyMap<string, ParentState>,
  requests: readonly ParentRequest[],
  signal?: AbortSignal,
): Promise<ParentPlan> {
  const states = new Map<string, ParentState>()
  const findState = (key: string): ParentState | undefined => states.get(key) ?? stored.get(key)
  const last = new Map(requests.map(({ child }, at) => [child, at]))
  const outcomes: ParentOutcome[] = []
  let deferred: number[] = []
  let seen = 0
  /** Whether the child is among the parent and its ancestors. */
  const closesCycle = (child: string, parent: string): boolean => {
    const path = new Set<string>()
    let at: string | null | undefined = parent
    while (at && at !== child && !path.has(at)) {
      path.add(at)
      at = findState(at)?.parent_erp_id
    }
    seen += path.size
    return at === child
  }
  const attempt = (at: number, { child, parent }: ParentRequest): void => {
    const state = findState(child) ?? { parent_erp_id: null, pending_parent_erp_id: null }
    if (parent !== null && parent !== child && !findState(parent)) {
      outcomes[at] = 'missing'
      states.set(child, { ...state, pending_parent_erp_id: parent })
    } else if (parent !== null && closesCycle(child, parent)) {
      outcomes[at] = 'cycle'
      states.set(child, { ...state, pending_parent_erp_id: null })
      // a later request of the same child replaces this one
      if (last.get(child) === at && parent !== child) deferred.push(at)
    } else {
      outcomes[at] = 'linked'
      states.set(child, { parent_erp_id: parent, pending_parent_erp_id: null })
    }
  }
  const attemptAll = async (positions: Iterable<number>): Promise<void> => {
    for (const at of positions) {
      const request = requests[at]
      if (request) attempt(at, request)
      seen += 1
      if (seen < SLICE) continue
      seen = 0
      await nextTurn()
      signal?.throwIfAborted()
    }
  }
  await attemptAll(requests.keys())
  for (let open = deferred.length + 1; deferred.length > 0 && deferred.length < open;) {
    const again = deferred
    open = again.length
    deferred = []
    await attemptAll(again)
  }
  return { outcomes, states }
}
