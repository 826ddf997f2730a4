import { AppError } from '@partsbus/contracts/errors'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { finishDeletions } from './price-lists/delete-price-list.js'
import type { PricingImportContext } from './context.js'
import { sweepFile } from './files/sweep-file.js'
import { discardVersion } from './imports/discard-version.js'
import { forgetTask } from './tasks/forget-task.js'
import { overdueTasks } from './tasks/overdue-tasks.js'
import { removeVersions } from './versions/remove-versions.js'

const EVERY_MS = 30_000
const LEASE_MS = 60_000

/**
 * Every half a minute, in one process at a time: deletes dropped versions, tasks past their retention, and what killed
 * processes left.
 */
export class KeepClean {
  private readonly ctx: PricingImportContext
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> = Promise.resolve()

  constructor(ctx: PricingImportContext) {
    this.ctx = ctx
  }

  start(): void {
    let isBusy = false
    this.timer = setInterval(() => {
      if (isBusy) return
      isBusy = true
      this.running = this.step(() => this.cleanAlone())
        .catch(() => undefined)
        .finally(() => {
          isBusy = false
        })
    }, EVERY_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.running
  }

  private async cleanAlone(): Promise<void> {
    await this.ctx.leases
      .withLease('cleanup', { leaseMs: LEASE_MS, waitMs: 0, isRenewed: true }, () => this.clean())
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'OVERLOADED')) throw error
      })
  }

  /** A deletion that fails does not keep the others from being tried. */
  async clean(): Promise<void> {
    const { ctx } = this
    await this.step(async () => {
      for (const task of await ctx.tasks.discarded()) await this.step(() => discardVersion(ctx, task))
    })
    await this.step(() => removeVersions(ctx))
    await this.step(() => finishDeletions(ctx))
    await this.step(async () => {
      for (const task of await overdueTasks(ctx)) await this.step(() => forgetTask(ctx, task))
    })
    await this.step(() => ctx.uploads.sweep())
    await this.step(async () => {
      for (const file of await ctx.files.unused()) await this.step(() => sweepFile(ctx, file))
    })
  }

  private async step(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      this.ctx.parts.log.warn({ err: error }, 'cleanup failed')
    }
  }
}
