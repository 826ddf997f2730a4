/** Limits the work that runs at a time; the rest waits in order of arrival. */
export class Semaphore {
  private free: number
  private readonly line: Array<() => void> = []

  constructor(count: number) {
    this.free = count
  }

  get hasFree(): boolean {
    return this.free > 0
  }

  get waiting(): number {
    return this.line.length
  }

  /**
   * Runs `work` when there is a place.
   * @throws whatever `signal` is aborted with while waiting
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.take(signal)
    try {
      return await work()
    } finally {
      this.free += 1
      this.line.shift()?.()
    }
  }

  /** Runs `work` when there is a place within `limitMs`. @throws what `refusal` makes when there is none */
  async runWithin<T>(limitMs: number, refusal: () => Error, work: () => Promise<T>): Promise<T> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(refusal()), Math.max(1, limitMs))
    try {
      return await this.run(deadline.signal, work)
    } finally {
      clearTimeout(timer)
    }
  }

  private take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.free > 0) {
      this.free -= 1
      return Promise.resolve()
    }
    return new Promise((done, fail) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        this.free -= 1
        done()
      }
      const leave = (): void => {
        this.line.splice(this.line.indexOf(enter), 1)
        fail(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.line.push(enter)
    })
  }
}
