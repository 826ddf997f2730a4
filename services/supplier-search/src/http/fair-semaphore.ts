/**
 * A semaphore whose waiters belong to groups. Free slots go to the groups in turn, so a query that needs a hundred
 * requests does not delay a query that needs one.
 */
export class FairSemaphore {
  private free: number
  /** Waiters by group; the first group is the next to get a slot. */
  private readonly waiting = new Map<object, Array<() => void>>()

  constructor(slots: number) {
    this.free = slots
  }

  /**
   * Runs `work` when there is a slot.
   * @throws the abort reason of `signal` while waiting
   */
  async run<T>(group: object, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.acquire(group, signal)
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  private acquire(group: object, signal: AbortSignal): Promise<void> {
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
        this.remove(group, enter)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      const queue = this.waiting.get(group)
      if (queue) queue.push(enter)
      else this.waiting.set(group, [enter])
    })
  }

  private release(): void {
    const next = this.waiting.entries().next().value
    if (!next) {
      this.free += 1
      return
    }
    const [group, queue] = next
    const enter = queue.shift()
    // the group goes to the end of the line
    this.waiting.delete(group)
    if (queue.length > 0) this.waiting.set(group, queue)
    enter?.()
  }

  private remove(group: object, enter: () => void): void {
    const queue = this.waiting.get(group)?.filter((each) => each !== enter) ?? []
    if (queue.length === 0) this.waiting.delete(group)
    else this.waiting.set(group, queue)
  }
}
