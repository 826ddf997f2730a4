/** For one query to all suppliers, milliseconds (rules.md#suppliers-time). */
const QUERY_MS = 10_000
/** Reserved for the merge and the way back, so that the caller gets the reply before it stops waiting. */
const RESERVE_MS = 400
/** For one storage, unless it has a limit of its own. */
export const STORAGE_MS = 4_000

/** The time that is left for one query. */
export class Deadline {
  private readonly end: number

  constructor(callerWaitsMs: number) {
    this.end = performance.now() + Math.min(QUERY_MS, callerWaitsMs)
  }

  /** Milliseconds that a step with this limit may take; at least 1. */
  limit(ms: number = STORAGE_MS): number {
    return Math.max(1, Math.min(ms, this.rest() - RESERVE_MS))
  }

  /** Milliseconds until the caller stops waiting; at least 1. */
  rest(): number {
    return Math.max(1, Math.floor(this.end - performance.now()))
  }
}
