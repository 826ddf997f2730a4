import { finishDeletions } from './price-lists/delete-price-list.js'
import type { PricingImportContext } from './context.js'
import { sweepFiles } from './files/sweep-files.js'
import { forgetTask } from './tasks/forget-task.js'
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
      this.running = this.clean().catch((error: unknown) => {
        this.ctx.parts.log.warn({ err: error }, 'what is over was not deleted')
      }).finally(() => { isBusy = false })
    }, EVERY_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.running
  }

  async clean(): Promise<void> {
    await removeVersions(this.ctx)
    await finishDeletions(this.ctx)
    for (const task of await this.ctx.tasks.expired()) await forgetTask(this.ctx, task)
    await sweepFiles(this.ctx)
    await this.ctx.uploads.sweep()
  }
}
