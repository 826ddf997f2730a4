import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PricingImportContext } from '../context.js'
import type { ImportTaskRecord } from '../tasks/import-task-record.js'

/** The import belongs to another worker by now, or was cancelled: whatever this one still wants to do, it must not. */
export class LostImport extends Error {}

/** The process is stopping; the import is given back. */
export class StoppedImport extends Error {}

const DATABASE_PATIENCE_MS = 10 * 60_000

/*
 * A worker's right to import a list: held (renewed every third of the lease) → released, or lost to another worker.
 * A database that is away is waited for: nobody else can take the lease meanwhile either.
 */
export class ImportLease {
  readonly task: ImportTaskRecord
  readonly owner: string
  private readonly ctx: PricingImportContext
  private readonly stop: AbortSignal
  private readonly timer: NodeJS.Timeout
  /** fails when the right is lost or the process stops */
  private readonly broken = new AbortController()
  private lost = false

  constructor(ctx: PricingImportContext, task: ImportTaskRecord, owner: string, stop: AbortSignal) {
    this.ctx = ctx
    this.task = task
    this.owner = owner
    this.stop = stop
    stop.addEventListener('abort', () => this.broken.abort(), { once: true, signal: this.broken.signal })
    this.timer = setInterval(() => void this.renew(), ctx.config.IMPORT_LEASE_MS / 3)
  }

  /** @throws LostImport, StoppedImport */
  check(): void {
    if (this.lost) throw new LostImport()
    if (this.stop.aborted) throw new StoppedImport()
  }

  /** Waits for work that has nothing to do with the database, as long as the list is held. @throws LostImport, StoppedImport */
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

  /** Runs a repeatable step with the database, again and again while that is away. @throws LostImport, StoppedImport */
  async retryWhileDbDown<T>(step: () => Promise<T>): Promise<T> {
    const end = Date.now() + DATABASE_PATIENCE_MS
    for (;;) {
      this.check()
      try {
        return await step()
      } catch (error) {
        if (!isDatabaseDown(error) || Date.now() > end) throw error
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
    // a lease that cannot be given back runs out
    await this.ctx.lists.free(this.task.price_list_id, this.owner).catch(() => undefined)
  }

  private lose(): void {
    this.lost = true
    this.broken.abort()
  }

  private async renew(): Promise<void> {
    try {
      if (!(await this.ctx.lists.renew(this.task.price_list_id, this.owner, this.ctx.config.IMPORT_LEASE_MS)))
        this.lose()
    } catch (error) {
      this.ctx.parts.log.warn({ err: error, task: this.task.id }, 'lease of an import not renewed')
    }
  }
}
