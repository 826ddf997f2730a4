import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { Semaphore } from '@partsbus/platform/async/semaphore'

/** Fetches that one process runs at a time, each in a thread of its own. */
export const SOURCES_AT_ONCE = 4
/** Of these, runs and tests that administrators ask for: slow ones leave a place to the scheduled runs. */
const MAX_REQUESTED = 3
const MAX_WAITING = 8

/**
 * The fetches of a process. What an administrator asks for waits in line; a scheduled run never does, since its source
 * stays due: so a free place goes to those who wait.
 */
@Injectable()
export class SourceSlots {
  private readonly all = new Semaphore(SOURCES_AT_ONCE)
  private readonly requested = new Semaphore(MAX_REQUESTED)

  /** @throws AppError OVERLOADED when too many wait already; what `signal` is aborted with while waiting */
  async runRequested<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.requested.waiting + this.all.waiting >= MAX_WAITING) throw new AppError('OVERLOADED', texts.unavailable)
    return this.requested.run({ signal }, () => this.all.run({ signal }, work))
  }

  /** @returns undefined when no place is free now */
  runScheduled<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> | undefined {
    return this.all.hasFree ? this.all.run({ signal }, work) : undefined
  }
}
