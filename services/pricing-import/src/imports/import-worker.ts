import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { runInScope } from '@partsbus/platform/bus/call-scope'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PricingImportContext } from '../context.js'
import { runImport } from './run-import.js'

const LOOK_MS = 1_000

/*
 * One process's share of the imports: as many loops as may run at once, each idle (waits for a nudge, a second at most)
 * or importing. Stopping breaks imports off between two blocks and gives them back.
 */
export class ImportWorker {
  private readonly ctx: PricingImportContext
  private readonly stopping = new AbortController()
  private readonly loops: Array<Promise<void>> = []

  constructor(ctx: PricingImportContext) {
    this.ctx = ctx
    setMaxListeners(0, this.stopping.signal)
  }

  start(): void {
    for (let index = 0; index < this.ctx.config.IMPORT_PARALLEL; index += 1) this.loops.push(this.work())
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.allSettled(this.loops)
  }

  private async work(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        if (!(await this.importOne())) await this.ctx.nudges.wait(LOOK_MS)
      } catch (error) {
        this.ctx.parts.log.warn({ err: error }, 'imports cannot be looked for')
        await sleep(LOOK_MS)
      }
    }
  }

  /** @returns false when there is nothing to do */
  private async importOne(): Promise<boolean> {
    const due = await this.ctx.tasks.due()
    const owner = randomUUID()
    const list =
      due.size === 0 ? undefined : await this.ctx.lists.takeOne([...due.keys()], owner, this.ctx.config.IMPORT_LEASE_MS)
    if (!list) return false
    // what was due may be done by now: the lease is ours, so what is due now stays so
    const now = (await this.ctx.tasks.due()).get(list.id)
    const task = now === undefined ? undefined : await this.ctx.tasks.claim(now)
    // a worker that was frozen before its claim may have lost the list: then the task is for the one who has it
    if (task && !(await this.ctx.lists.renew(list.id, owner, this.ctx.config.IMPORT_LEASE_MS))) return false
    // its lines in the log carry the id of the request that brought the file
    if (task)
      await runInScope({ requestId: task.request_id }, () => runImport(this.ctx, task, owner, this.stopping.signal))
    else await this.ctx.lists.free(list.id, owner)
    return task !== undefined
  }
}
