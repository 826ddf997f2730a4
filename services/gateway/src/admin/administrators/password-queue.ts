import { AppError, texts } from '@partsbus/contracts/errors'

const AT_ONCE = 2
const MAX_WAITING = 20

/**
 * The hashing of passwords in this process: two at once, which is 64 MiB and half of the thread pool, and 20 waiting.
 * Attempts with the same key follow one another, so that concurrent guesses cannot pass a limit together.
 */
export class PasswordQueue {
  private running = 0
  private readonly waiting: Array<() => void> = []
  private readonly last = new Map<string, Promise<unknown>>()

  /** @throws AppError OVERLOADED at once when too many wait */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running < AT_ONCE) this.running += 1
    else if (this.waiting.length >= MAX_WAITING) throw new AppError('OVERLOADED', texts.unavailable)
    // the slot is handed over by the one that ends
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await this.runAfterSame(key, work)
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.running -= 1
    }
  }

  private async runAfterSame<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.last.get(key)
    const current = previous ? previous.then(work, work) : work()
    this.last.set(key, current)
    try {
      return await current
    } finally {
      if (this.last.get(key) === current) this.last.delete(key)
    }
  }
}
