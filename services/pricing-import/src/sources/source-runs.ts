import { AppError } from '@partsbus/contracts/errors'
import type { LeaseStore } from '@partsbus/platform/lease-store'
import type { Log } from '@partsbus/platform/log'
import type { StoredSource } from '../price-lists/price-list-record.js'
import type { PriceListStore } from '../price-lists/price-list-store.js'
import type { RunResult } from './import-source.js'

const LOOK_MS = 15_000
const LEASE_MS = 11 * 60_000
const AT_ONCE = 4
const STOP_MS = 5_000

/**
 * Runs the sources of all lists when they are due, each at one process at a time.
 * idle → looking (every 15 s) → running the due ones, a few at once → idle; stopping waits for what runs.
 */
export class SourceRuns {
  private readonly lists: PriceListStore
  private readonly leases: LeaseStore
  private readonly log: Log
  private readonly import: (listId: number, sourceId: number) => Promise<RunResult>
  private readonly running = new Set<Promise<unknown>>()
  private timer: NodeJS.Timeout | undefined

  constructor(parts: { lists: PriceListStore; leases: LeaseStore; log: Log; import: (listId: number, sourceId: number) => Promise<RunResult> }) {
    this.lists = parts.lists
    this.leases = parts.leases
    this.log = parts.log
    this.import = parts.import
  }

  start(): void {
    this.timer = setInterval(() => void this.runDue().catch((error: unknown) => this.log.warn({ err: error }, 'sources cannot be looked for')), LOOK_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    // a fetch that takes longer is broken off with the process, and made again
    await Promise.race([Promise.allSettled(this.running), new Promise((done) => setTimeout(done, STOP_MS).unref())])
  }

  /** Runs a source now, unless it runs already. */
  run(listId: number, sourceId: number): Promise<RunResult> {
    const work = this.leases
      .withLease(`source:${listId}:${sourceId}`, { leaseMs: LEASE_MS, waitMs: 0 }, () => this.import(listId, sourceId))
      .catch((error: unknown): RunResult => {
        if (error instanceof AppError && error.code === 'OVERLOADED') return { outcome: 'unchanged', message: 'The source is being fetched already.', task_id: null }
        throw error
      })
      .finally(() => this.running.delete(work))
    this.running.add(work)
    return work
  }

  /** Starts what is due. */
  async runDue(now = Date.now()): Promise<void> {
    for (const list of await this.lists.withSources()) {
      if (!list.is_active) continue
      for (const source of list.sources) {
        if (this.running.size >= AT_ONCE) return
        if (isDue(source, now)) this.run(list.id, source.id).catch((error: unknown) => this.log.warn({ err: error, list: list.id, source: source.id }, 'source not fetched'))
      }
    }
  }
}

export function isDue({ is_active, every_minutes, state }: StoredSource, now: number): boolean {
  const last = state.last_run === null ? -Infinity : Date.parse(state.last_run.at)
  return is_active && now - last >= every_minutes * 60_000
}
