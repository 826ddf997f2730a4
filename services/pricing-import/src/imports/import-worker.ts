import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { Inject, Injectable } from '@nestjs/common'
import { type Repetition, repeat } from '@partsbus/platform/async/repeat'
import { CONFIG, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { traceDeferred } from '@partsbus/platform/process/spans'
import type { PricingImportConfig } from '../config.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { ImportLease } from './import-lease.js'
import { ImportNudges } from './import-nudges.js'
import { RunImport } from './run-import.js'

const LOOK_MS = 1_000

/*
 * `IMPORT_PARALLEL` loops, each idle (waiting for a nudge, a second at most) or importing. Stopping interrupts imports
 * between two blocks and gives them back.
 */
@Injectable()
export class ImportWorker {
  private readonly stopping = new AbortController()
  private loops: Repetition[] = []

  constructor(
    private readonly tasks: TaskStore,
    private readonly lists: PriceListStore,
    private readonly nudges: ImportNudges,
    private readonly runImport: RunImport,
    private readonly pausable: PausableWork,
    @Inject(CONFIG) private readonly config: PricingImportConfig,
    @Inject(LOG) private readonly log: Log,
  ) {
    setMaxListeners(0, this.stopping.signal)
  }

  start(): void {
    this.loops = Array.from({ length: this.config.IMPORT_PARALLEL }, () =>
      repeat(() => this.work(), {
        everyMs: 0,
        failed: (error) => {
          this.log.warn({ err: error }, 'search for imports failed')
          return LOOK_MS
        },
      }),
    )
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.loops.map((loop) => loop.stop()))
  }

  private async work(): Promise<void> {
    if (!(await this.pausable.run('import', () => this.importOne()))) await this.nudges.wait(LOOK_MS)
  }

  /** @returns false when there is nothing to do */
  private async importOne(): Promise<boolean> {
    const due = await this.tasks.due()
    if (due.size === 0) return false
    const owner = randomUUID()
    const { IMPORT_LEASE_MS } = this.config
    const list = await this.lists.acquireLease([...due.keys()], owner, IMPORT_LEASE_MS)
    if (!list) return false
    // the task may be finished by now; while the lease is held it stays due
    const now = await this.tasks.dueOf(list.id)
    const task = now === undefined ? undefined : await this.tasks.claim(now)
    if (!task) {
      await this.lists.releaseLease(list.id, owner)
      return false
    }
    // a worker that was frozen before its claim may have lost the list: the task then belongs to the new holder
    if (!(await this.lists.renewLease(list.id, owner, IMPORT_LEASE_MS))) return false
    const lease = new ImportLease(this.lists, task, owner, IMPORT_LEASE_MS, this.stopping.signal, this.log)
    // its log lines carry the id of the request that brought the file, and its trace has a link to that of the request
    await traceDeferred(
      'price-list.import',
      { requestId: task.request_id, ...task.request_origin },
      () => this.runImport.runImport(lease),
      () => ({ 'partsbus.import_task': task.id, 'partsbus.price_list': task.price_list_id }),
    )
    return true
  }
}
