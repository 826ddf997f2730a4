import { AppError } from '@partsbus/contracts/app-error'
import { LRUCache } from 'lru-cache'
import type { QueriedStorage } from './storage-answer.js'

/** Storages that were read longer before the stock service became unavailable may have changed since. */
const MAX_AGE_MS = 60_000
const MAX_ENTRIES = 1_000

/**
 * The storages of earlier queries, used while the stock service is unavailable: storages cannot be changed then, and
 * suppliers that do not need that service still answer. Available → unavailable (UNAVAILABLE) → available (a reply).
 */
export class StaleStorages {
  private readonly entries = new LRUCache<string, { storages: QueriedStorage[]; readAt: number }>({ max: MAX_ENTRIES })
  private readonly now: () => number
  private unavailableSince: number | undefined

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /**
   * Reads storages, or returns those of the last read while the stock service is unavailable.
   * @throws the error of `read` when there is nothing to return
   */
  async read(key: string, read: () => Promise<QueriedStorage[]>): Promise<QueriedStorage[]> {
    try {
      const storages = await read()
      this.unavailableSince = undefined
      this.entries.set(key, { storages, readAt: this.now() })
      return storages
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error
      this.unavailableSince ??= this.now()
      const entry = this.entries.get(key)
      if (!entry || this.unavailableSince - entry.readAt > MAX_AGE_MS) throw error
      return entry.storages
    }
  }
}
