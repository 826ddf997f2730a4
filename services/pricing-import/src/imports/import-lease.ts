import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@partsbus/platform/process/log'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import type { PriceListStore } from '../price-lists/price-list-store.js'
import { LostImport, StoppedImport } from './import-errors.js'

const DATABASE_PATIENCE_MS = 10 * 60_000

/*
 * A worker's lease of a list during an import: held (renewed every third of its duration) → released, or lost to
 * another worker. While the database is down the import waits, because mostly no other worker can acquire the lease
 * either. A worker that alone was cut off from the database renews its lease before it goes on. What it may do until it
 * notices is harmless: tasks and lists are written only by the latest attempt.
 */
export class ImportLease {
  private readonly timer: NodeJS.Timeout
  /** aborted when the lease is lost or the process stops */
  private readonly broken = new AbortController()
  private lost = false

  /** @param stop the process is stopping */
  constructor(
    private readonly lists: Pick<PriceListStore, 'renewLease' | 'releaseLease'>,
    readonly task: ImportTaskRecord,
    readonly owner: string,
    private readonly leaseMs: number,
    private readonly stop: AbortSignal,
    private readonly log: Log,
  ) {
    stop.addEventListener('abort', () => this.broken.abort(), { once: true, signal: this.broken.signal })
    this.timer = setInterval(() => void this.renewOrLose(), leaseMs / 3)
  }

  /** @throws LostImport, StoppedImport */
  check(): void {
    if (this.lost) throw new LostImport()
    if (this.stop.aborted) throw new StoppedImport()
  }

  /** Waits for work without the database, unless the lease is lost. @throws LostImport, StoppedImport */
  async orLost<T>(work: Promise<T>): Promise<T> {
    // a caller that stops waiting does not handle its failure
    work.catch(() => undefined)
    this.check()
    const { signal } = this.broken
    let give: () => void = () => undefined
    const broken = new Promise<void>((done) => {
      give = done
    })
    signal.addEventListener('abort', give, { once: true })
    try {
      await Promise.race([work, broken])
      this.check()
      return await work
    } finally {
      signal.removeEventListener('abort', give)
    }
  }

  /** Repeats an idempotent step while the database is down. @throws LostImport, StoppedImport */
  async retryWhileDbDown<T>(step: () => Promise<T>): Promise<T> {
    const end = performance.now() + DATABASE_PATIENCE_MS
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        this.check()
        if (isRepeated && !(await this.renew())) this.lose()
        this.check()
        return await step()
      } catch (error) {
        if (!isDatabaseDown(error) || performance.now() > end) throw error
        await sleep(500)
      }
    }
  }

  /** Runs a fenced write. @throws LostImport when it changed nothing */
  async fencedWrite(write: () => Promise<boolean>): Promise<void> {
    if (!(await this.retryWhileDbDown(write))) {
      this.lose()
      throw new LostImport()
    }
  }

  async release(): Promise<void> {
    clearInterval(this.timer)
    this.broken.abort()
    // a lease that cannot be released expires
    await this.lists.releaseLease(this.task.price_list_id, this.owner).catch(() => undefined)
  }

  private lose(): void {
    this.lost = true
    this.broken.abort()
  }

  /** @returns whether the lease is still held */
  renew(): Promise<boolean> {
    return this.lists.renewLease(this.task.price_list_id, this.owner, this.leaseMs)
  }

  private async renewOrLose(): Promise<void> {
    try {
      if (!(await this.renew())) this.lose()
    } catch (error) {
      this.log.warn({ err: error, task: this.task.id }, 'import lease not renewed')
    }
  }
}
