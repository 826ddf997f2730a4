import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { type Repetition, repeat } from '@partsbus/platform/async/repeat'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { Cleanup } from './cleanup.js'
import { ImportWorker } from './imports/import-worker.js'
import { SourceRuns } from './sources/source-runs.js'

const CLEAN_EVERY_MS = 30_000

/** Everything that this service repeats in the background: imports, scheduled sources, clean-up. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private cleaning: Repetition | undefined

  constructor(
    private readonly worker: ImportWorker,
    private readonly sources: SourceRuns,
    private readonly cleanup: Cleanup,
    private readonly work: PausableWork,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.worker.start()
    this.sources.start()
    this.cleaning = repeat(() => this.work.run('cleanup', () => this.cleanup.cleanExclusively()), {
      everyMs: CLEAN_EVERY_MS,
      firstMs: CLEAN_EVERY_MS,
      failed: (error) => this.log.warn({ err: error }, 'cleanup failed'),
    })
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.worker.stop(), this.sources.stop(), this.cleaning?.stop()])
  }
}
