import { AppError, texts } from '@partsbus/contracts/app-error'
import { type JoinOptions, WaitLine } from './wait-line.js'

export interface SlotOptions extends JoinOptions {
  /** when the caller stops waiting, by `performance.now()`: work whose turn comes later is not started */
  until?: number
}

/** Limits the work that runs at a time; the rest waits in a {@link WaitLine}. */
export class Semaphore {
  private readonly count: number
  private free: number
  private readonly line = new WaitLine<{ since: number; until: number }>()

  /** @param count of slots */
  constructor(count: number) {
    this.count = count
    this.free = count
  }

  get isIdle(): boolean {
    return this.free === this.count
  }

  get hasFree(): boolean {
    return this.free > 0
  }

  get waiting(): number {
    return this.line.length
  }

  /** How long the first one has been waiting, in ms. */
  delay(now = performance.now()): number {
    const { first } = this.line
    return first ? now - first.since : 0
  }

  /**
   * Runs `work` when there is a slot.
   * @param work may release its slot before it ends
   * @throws the reason of `signal` while waiting, AppError OVERLOADED when its turn comes after `until`
   */
  async run<T>(options: SlotOptions, work: (release: () => void) => Promise<T>): Promise<T> {
    // work that need not wait begins at once
    const turn = this.enter(options)
    if (turn) await turn
    const release = this.releaseOnce()
    try {
      return await work(release)
    } finally {
      release()
    }
  }

  /** Runs `work` when there is a slot within `limitMs`. @throws what `refusal` makes when there is none */
  async runWithin<T>(limitMs: number, refusal: () => Error, work: () => Promise<T>): Promise<T> {
    const release = await this.acquireWithin(limitMs, refusal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Waits for a slot. @returns what releases it */
  async acquire(options: SlotOptions = {}): Promise<() => void> {
    await this.enter(options)
    return this.releaseOnce()
  }

  /** Waits for a slot for at most `limitMs`. @throws what `refusal` makes */
  async acquireWithin(limitMs: number, refusal: () => Error): Promise<() => void> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(refusal()), Math.max(1, limitMs))
    try {
      return await this.acquire({ signal: deadline.signal })
    } finally {
      clearTimeout(timer)
    }
  }

  /** @returns undefined when there is a slot at once */
  private enter({ until = Infinity, ...options }: SlotOptions): Promise<void> | undefined {
    options.signal?.throwIfAborted()
    if (!this.hasFree) return this.line.join({ since: performance.now(), until }, options)
    this.free -= 1
    return undefined
  }

  private releaseOnce(): () => void {
    let isHeld = true
    return () => {
      if (isHeld) this.startNext()
      isHeld = false
    }
  }

  private startNext(now = performance.now()): void {
    for (let next = this.line.take(); next; next = this.line.take()) {
      if (now < next.entry.until) return next.proceed()
      next.refuse(new AppError('OVERLOADED', texts.unavailable))
    }
    this.free += 1
  }
}

/** A semaphore for each key. Keys without work take no memory. */
export class KeyedSemaphore {
  private readonly semaphores = new Map<string, Semaphore>()

  /** @param count of slots of one key */
  constructor(private readonly count: number) {}

  /** Runs `work` when its key has a slot, in order of arrival. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const semaphore = this.semaphores.get(key) ?? new Semaphore(this.count)
    this.semaphores.set(key, semaphore)
    try {
      return await semaphore.run({}, work)
    } finally {
      if (semaphore.isIdle) this.semaphores.delete(key)
    }
  }
}
