import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@partsbus/contracts/app-error'
import type { Log } from '../process/log.js'
import { isDatabaseDown, isOverloaded } from './to-app-error.js'

const RETRY_MS = 500

/** Logs what a process waits for, and each new reason once. */
export class WaitLog {
  private latest: string | undefined

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  note(message: string, error?: unknown): void {
    const reason = error instanceof Error ? error.message : undefined
    const line = `${message}: ${reason ?? ''}`
    if (line !== this.latest) this.log.warn(reason === undefined ? {} : { reason }, message)
    this.latest = line
  }

  noteDatabaseDown(error: unknown): void {
    this.note('waiting for the database', error)
  }
}

/**
 * Repeats a step while the database is down, or does not answer in time.
 * @param isOver no further attempt can succeed
 */
export async function retryUntilReached<T>(
  step: () => Promise<T>,
  log: Pick<Log, 'warn'>,
  isOver: () => boolean = () => false,
): Promise<T> {
  for (const waits = new WaitLog(log); ;) {
    try {
      return await step()
    } catch (error) {
      if (isOver() || (!isDatabaseDown(error) && !isLate(error))) throw error
      waits.noteDatabaseDown(error)
      await sleep(RETRY_MS)
    }
  }
}

/** It took longer than its `withTimeLimit`, or than the server was told to take. */
function isLate(error: unknown): boolean {
  return isOverloaded(error) || (error instanceof AppError && error.code === 'OVERLOADED')
}
