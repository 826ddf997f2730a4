import { AppError } from '@partsbus/contracts/errors'
import { LRUCache } from 'lru-cache'
import type { AskedStorage } from './storage-answer.js'

/** Storages that were read longer before the stock service went away may have changed since. */
const MAX_AGE_MS = 60_000

/**
 * The storages of earlier queries, for queries that come while the stock service is away: nobody can change storages
 * then, and suppliers that do not need that service still answer. Available → away (UNAVAILABLE) → available (a reply).
 */
export class StaleStorages {
  private readonly entries = new LRUCache<string, { storages: AskedStorage[]; readAt: number }>({ max: 1_000 })
  private readonly now: () => number
  private awaySince: number | undefined

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /**
   * Reads storages, or returns those of the last read while the stock service is away.
   * @throws the error of `read` when there is nothing to return
   */
  async read(key: string, read: () => Promise<AskedStorage[]>): Promise<AskedStorage[]> {
    try {
      const storages = await read()
      this.awaySince = undefined
      this.entries.set(key, { storages, readAt: this.now() })
      return storages
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error
      this.awaySince ??= this.now()
      const entry = this.entries.get(key)
      if (!entry || this.awaySince - entry.readAt > MAX_AGE_MS) throw error
      return entry.storages
    }
  }
}
