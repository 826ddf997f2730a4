/** Of one question to all suppliers, milliseconds (rules.md#suppliers-time). */
const QUESTION_MS = 10_000
/** Kept for naming, merging and the way back, so that the caller has the answer before it stops waiting. */
const RESERVE_MS = 400
/** For one storage, unless it has its own. */
export const STORAGE_MS = 4_000

/** What is left of the time for one question. */
export class Budget {
  /** Milliseconds there were, rounded up to a quarter of a second: questions of one size may share an answer. */
  readonly size: number
  private readonly end: number

  constructor(callerWaitsMs: number) {
    const ms = Math.min(QUESTION_MS, callerWaitsMs)
    this.size = Math.ceil(ms / 250) * 250
    this.end = performance.now() + ms
  }

  /** Milliseconds that asking with this limit may take; at least 1. */
  limit(ms: number = STORAGE_MS): number {
    return Math.max(1, Math.min(ms, this.rest() - RESERVE_MS))
  }

  /** Milliseconds until the caller stops waiting; at least 1. */
  rest(): number {
    return Math.max(1, Math.floor(this.end - performance.now()))
  }
}
