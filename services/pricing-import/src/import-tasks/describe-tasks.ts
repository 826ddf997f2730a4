import { Injectable } from '@nestjs/common'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { PriceListStore } from '../price-lists/price-list-store.js'
import type { ImportTaskRecord } from './import-task-record.js'
import { TaskStore } from './task-store.js'
import { adminTaskView } from './task-view.js'

/** Tasks as administrators see them: with their place in the queue and the live rows of their version. */
@Injectable()
export class DescribeTasks {
  constructor(
    private readonly tasks: TaskStore,
    private readonly lists: PriceListStore,
  ) {}

  async describeNewest(limit: number, settings: CallSettings): Promise<AdminImportTask[]> {
    return this.describeAll(await this.tasks.findNewest(limit), settings)
  }

  async describeAll(tasks: ImportTaskRecord[], settings: CallSettings): Promise<AdminImportTask[]> {
    const [positions, live] = await Promise.all([
      tasks.some(({ status }) => status === 'pending') ? this.tasks.queuePositions() : new Map<number, number>(),
      this.lists.activeVersions(tasks.map(({ price_list_id }) => price_list_id)),
    ])
    return tasks.map((task) => {
      const active = live.get(task.price_list_id)
      const isLive = active?.version === task.id
      const situation = {
        queue_position: positions.get(task.id) ?? null,
        is_live: isLive,
        live_rows: isLive ? active.rows : 0,
        merged_into: active?.merged?.includes(task.id) ? active.version : null,
      }
      return adminTaskView(task, situation, settings.admin_locale)
    })
  }
}
