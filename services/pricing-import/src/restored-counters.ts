import { Injectable, type OnModuleInit } from '@nestjs/common'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { TaskStore } from './import-tasks/task-store.js'
import { VersionStore } from './versions/version-store.js'

/**
 * After a restore from a backup the counters may be behind the stored ids. An import with a low id would be superseded
 * at once, or fail for its id.
 */
@Injectable()
export class RestoredCounters implements OnModuleInit {
  constructor(
    private readonly counters: CounterStore,
    private readonly tasks: TaskStore,
    private readonly versions: VersionStore,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.counters.startAbove('import_tasks', async () => {
      return Math.max(await this.tasks.highestId(), (await this.versions.highestIds()).version)
    })
    await this.counters.startAbove('price_lists', async () => (await this.versions.highestIds()).list)
  }
}
