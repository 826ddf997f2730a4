import { AppError } from '@partsbus/contracts/errors'
import type { AskedStorage } from './storage-answer.js'

interface Told {
  storages: AskedStorage[]
  at: number
}

/** What was told longer before the stock service went away may have been changed since. */
const FRESH_MS = 60_000
/** Different questions that are remembered; the one that was not asked for longest is forgotten first. */
const MOST = 1_000

/*
 * Storages as the stock service told them last, for questions that come while it is away: nobody can change them then, and
 * suppliers that do not need it still answer. Present → away (nobody answers for the service) → present (an answer).
 */
export class RememberedStorages {
  private readonly told = new Map<string, Told>()
  private readonly now: () => number
  private awaySince: number | undefined

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /**
   * Reads the storages, or remembers them.
   * @param key the same for the same storages
   * @throws what `read` throws, where there is nothing to be remembered
   */
  async read(key: string, read: () => Promise<AskedStorage[]>): Promise<AskedStorage[]> {
    try {
      const storages = await read()
      this.awaySince = undefined
      this.keep(key, storages)
      return storages
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error
      this.awaySince ??= this.now()
      const told = this.told.get(key)
      if (!told || this.awaySince - told.at > FRESH_MS) throw error
      return told.storages
    }
  }

  private keep(key: string, storages: AskedStorage[]): void {
    this.told.delete(key)
    this.told.set(key, { storages, at: this.now() })
    const [oldest] = this.told.keys()
    if (this.told.size > MOST && oldest !== undefined) this.told.delete(oldest)
  }
}
