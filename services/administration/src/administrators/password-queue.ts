import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { KeyedSemaphore } from '@partsbus/platform/async/semaphore'
import { WaitLine } from '@partsbus/platform/async/wait-line'

const AT_ONCE = 2
const MAX_WAITING = 20
const OF_ONE_KEY = 1

/**
 * The hashing of passwords in this process: two at once, which is 64 MiB and half of the thread pool, and 20 waiting.
 * Those of known persons go first, and 20 of their own wait: strangers with many addresses cannot keep them out.
 * Attempts with the same key follow one another, so that concurrent guesses cannot pass a limit together.
 */
@Injectable()
export class PasswordQueue {
  private running = 0
  private readonly known = new WaitLine()
  private readonly strangers = new WaitLine()
  private readonly ofKey = new KeyedSemaphore(OF_ONE_KEY)

  /**
   * @param isKnown whoever asks has a session or an invitation, or has signed in from the address before
   * @throws AppError OVERLOADED at once when too many wait
   */
  async run<Result>(key: string, work: () => Promise<Result>, isKnown = false): Promise<Result> {
    const waiting = isKnown ? this.known : this.strangers
    if (this.running < AT_ONCE) this.running += 1
    else if (waiting.length >= MAX_WAITING) throw new AppError('OVERLOADED', texts.unavailable)
    // the slot is handed over by the one that ends
    else await waiting.join(undefined)
    try {
      return await this.ofKey.run(key, work)
    } finally {
      const next = this.known.take() ?? this.strangers.take()
      if (next) next.proceed()
      else this.running -= 1
    }
  }
}
