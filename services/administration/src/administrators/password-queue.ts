import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/errors'

const AT_ONCE = 2
const MAX_WAITING = 20

/**
 * The hashing of passwords in this process: two at once, which is 64 MiB and half of the thread pool, and 20 waiting.
 * Those of known persons go first, and 20 of their own wait: strangers with many addresses cannot keep them out.
 * Attempts with the same key follow one another, so that concurrent guesses cannot pass a limit together.
 */
@Injectable()
export class PasswordQueue {
  private running = 0
  private readonly known: Array<() => void> = []
  private readonly strangers: Array<() => void> = []
  private readonly last = new Map<string, Promise<unknown>>()

  /**
   * @param isKnown whoever asks has a session or an invitation, or has signed in from the address before
   * @throws AppError OVERLOADED at once when too many wait
   */
  async run<Result>(key: string, work: () => Promise<Result>, isKnown = false): Promise<Result> {
    const waiting = isKnown ? this.known : this.strangers
    if (this.running < AT_ONCE) this.running += 1
    else if (waiting.length >= MAX_WAITING) throw new AppError('OVERLOADED', texts.unavailable)
    // the slot is handed over by the one that ends
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await this.runAfterSame(key, work)
    } finally {
      const next = this.known.shift() ?? this.strangers.shift()
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
