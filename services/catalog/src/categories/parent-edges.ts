/** What one item wants: `null` makes it a root. */
export interface ParentWish {
  child: string
  parent: string | null
}

/** What became of one wish: linked (or made a root), its parent is unknown, or it would close a cycle. */
export type ParentOutcome = 'linked' | 'missing' | 'cycle'

/** Where a category stands: its parent, and the parent it waits for. */
export interface ParentPlace {
  parent_erp_id: string | null
  pending_parent_erp_id: string | null
}

export interface ParentPlan {
  /** one a wish, in their order */
  outcomes: ParentOutcome[]
  /** where each child stands afterwards */
  places: Map<string, ParentPlace>
}

/**
 * Applies wishes in their order (erp.md#categories-4 to erp.md#categories-6).
 * A wish that would close a cycle is tried again after the others, so that a tree can be turned round in one batch;
 * what closes one even then is not set.
 * @param stored every category that exists among the children, the wished parents and their ancestors
 */
export function planParents(stored: ReadonlyMap<string, ParentPlace>, wishes: readonly ParentWish[]): ParentPlan {
  const places = new Map<string, ParentPlace>()
  const placeOf = (key: string): ParentPlace | undefined => places.get(key) ?? stored.get(key)
  const last = new Map(wishes.map(({ child }, at) => [child, at]))
  const outcomes: ParentOutcome[] = []
  let deferred: number[] = []
  const attempt = (at: number, { child, parent }: ParentWish): void => {
    const place = placeOf(child) ?? { parent_erp_id: null, pending_parent_erp_id: null }
    if (parent !== null && parent !== child && !placeOf(parent)) {
      outcomes[at] = 'missing'
      places.set(child, { ...place, pending_parent_erp_id: parent })
    } else if (parent !== null && closesCycle(child, parent, placeOf)) {
      outcomes[at] = 'cycle'
      places.set(child, { ...place, pending_parent_erp_id: null })
      // a later wish of the same child counts more than a second try of this one
      if (last.get(child) === at && parent !== child) deferred.push(at)
    } else {
      outcomes[at] = 'linked'
      places.set(child, { parent_erp_id: parent, pending_parent_erp_id: null })
    }
  }
  for (const [at, wish] of wishes.entries()) attempt(at, wish)
  for (let open = deferred.length + 1; deferred.length > 0 && deferred.length < open;) {
    const again = deferred
    open = again.length
    deferred = []
    for (const at of again) {
      const wish = wishes[at]
      if (wish) attempt(at, wish)
    }
  }
  return { outcomes, places }
}

function closesCycle(child: string, parent: string, placeOf: (key: string) => ParentPlace | undefined): boolean {
  const seen = new Set<string>()
  for (let at: string | null | undefined = parent; at && !seen.has(at); at = placeOf(at)?.parent_erp_id) {
    if (at === child) return true
    seen.add(at)
  }
  return false
}
