import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { finishDeletions } from './price-lists/delete-price-list.js'
import type { PricingImportContext } from './context.js'
import { sweepFile } from './files/sweep-file.js'
import { forgetTask } from './tasks/forget-task.js'
import { overdueTasks } from './tasks/overdue-tasks.js'
import { removeVersions } from './versions/remove-versions.js'

const EVERY_MS = 30_000

/** Deletes what is over, every half a minute: dropped versions, tasks past their retention, halves of what a killed process did. */
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
      this.running = this.step(() => this.clean())
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

  /** One thing that cannot be deleted keeps nothing else from being. */
  async clean(): Promise<void> {
    const { ctx } = this
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
      this.ctx.parts.log.warn({ err: error }, 'what is over was not deleted')
    }
  }
}
