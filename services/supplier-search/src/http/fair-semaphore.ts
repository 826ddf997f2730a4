/** One query; `caller` is who made it, such as an address. */
export interface SlotUser {
  readonly caller: string
}

/**
 * A semaphore whose waiters belong to queries, and these to callers. Free slots go to the callers in turn, and to the
 * queries of each in turn: a query that needs a hundred requests does not delay one that needs one, nor does a caller
 * with a hundred queries delay another (rules.md#overload).
 */
export class FairSemaphore {
  private free: number
  /** Waiters by caller and query; the first caller, and of it the first query, is the next to get a slot. */
  private readonly waiting = new Map<string, Map<SlotUser, Array<() => void>>>()

  constructor(slots: number) {
    this.free = slots
  }

  /**
   * Runs `work` when there is a slot.
   * @throws the abort reason of `signal` while waiting
   */
  async run<T>(query: SlotUser, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.acquire(query, signal)
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  private acquire(query: SlotUser, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.free > 0) {
      this.free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.remove(query, enter)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      const queries = this.waiting.get(query.caller) ?? new Map<SlotUser, Array<() => void>>()
      queries.set(query, [...(queries.get(query) ?? []), enter])
      this.waiting.set(query.caller, queries)
    })
  }

  private release(): void {
    const [caller, queries] = this.waiting.entries().next().value ?? []
    const [query, queue] = queries?.entries().next().value ?? []
    if (caller === undefined || !queries || !query || !queue) {
      this.free += 1
      return
    }
    const enter = queue.shift()
    // both go to the end of their line
    queries.delete(query)
    if (queue.length > 0) queries.set(query, queue)
    this.waiting.delete(caller)
    if (queries.size > 0) this.waiting.set(caller, queries)
    enter?.()
  }

  private remove(query: SlotUser, enter: () => void): void {
    const queries = this.waiting.get(query.caller)
    const queue = queries?.get(query)?.filter((each) => each !== enter) ?? []
    if (queue.length > 0) queries?.set(query, queue)
    else queries?.delete(query)
    if (queries?.size === 0) this.waiting.delete(query.caller)
  }
}
