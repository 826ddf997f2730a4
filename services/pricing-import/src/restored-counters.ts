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
    const [task, highest] = await Promise.all([this.tasks.highestId(), this.versions.highestIds()])
    await this.counters.raiseTo('import_tasks', Math.max(task, highest.version))
    await this.counters.raiseTo('price_lists', highest.list)
  }
}
