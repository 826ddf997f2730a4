import { AppError, texts } from '@partsbus/contracts/app-error'
import { Counts } from '@partsbus/platform/async/counts'

interface BatchLimits {
  /** keys of one look-up */
  keys: number
  /** callers that wait, of all and of one address */
  waiting: number
  ofOne: number
}

interface Waiting<Value> {
  caller: string
  resolve: (value: Value | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Looks keys up together, one query at a time: however many callers ask, they use one connection of the database, and
 * a caller waits for two queries at most while fewer than `keys` are asked for.
 */
export class BatchedLookup<Value> {
  private readonly limits: BatchLimits
  private readonly find: (keys: string[]) => Promise<Map<string, Value>>
  private readonly waiting = new Map<string, Waiting<Value>[]>()
  private readonly held = new Counts()
  private count = 0
  private isRunning = false

  constructor(limits: BatchLimits, find: (keys: string[]) => Promise<Map<string, Value>>) {
    this.limits = limits
    this.find = find
  }

  /** @throws AppError OVERLOADED when too many wait */
  async read(key: string, caller: string): Promise<Value | undefined> {
    if (this.count >= this.limits.waiting || this.held.of(caller) >= this.limits.ofOne)
      throw new AppError('OVERLOADED', texts.unavailable)
    this.count += 1
    this.held.add(caller)
    return new Promise((resolve, reject) => {
      const same = this.waiting.get(key)
      const entry = { caller, resolve, reject }
      if (same) same.push(entry)
      else this.waiting.set(key, [entry])
      if (!this.isRunning) void this.run()
    })
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (this.waiting.size > 0) {
      const keys = [...this.waiting.keys()].slice(0, this.limits.keys)
      const asked = keys.map((key) => [key, this.take(key)] as const)
      await this.find(keys).then(
        (found) => asked.forEach(([key, callers]) => callers.forEach(({ resolve }) => resolve(found.get(key)))),
        (error: unknown) => asked.forEach(([, callers]) => callers.forEach(({ reject }) => reject(error))),
      )
      for (const [, callers] of asked) for (const { caller } of callers) this.release(caller)
    }
    this.isRunning = false
  }

  private take(key: string): Waiting<Value>[] {
    const callers = this.waiting.get(key) ?? []
    this.waiting.delete(key)
    return callers
  }

  private release(caller: string): void {
    this.count -= 1
    this.held.add(caller, -1)
  }
}
