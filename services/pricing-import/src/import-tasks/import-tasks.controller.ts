import * as contract from '@partsbus/contracts/pricing-import/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ImportTasks } from './import-tasks.js'

@Controller()
export class ImportTasksController {
  constructor(private readonly importTasks: ImportTasks) {}

  @Handles(contract.getImportStatus)
  getImportStatus(call: CallOf<typeof contract.getImportStatus>) {
    return this.importTasks.getImportStatus(call)
  }

  @Handles(contract.getImportTask)
  getImportTask(call: CallOf<typeof contract.getImportTask>) {
    return this.importTasks.getImportTask(call)
  }

  @Handles(contract.listImportTasks)
  listImportTasks(call: CallOf<typeof contract.listImportTasks>) {
    return this.importTasks.listImportTasks(call)
  }

  @Handles(contract.cancelImportTask)
  cancelImportTask(call: CallOf<typeof contract.cancelImportTask>) {
    return this.importTasks.cancelImportTask(call)
  }

  @Handles(contract.retryImportTask)
  retryImportTask(call: CallOf<typeof contract.retryImportTask>) {
    return this.importTasks.retryImportTask(call)
  }

  @Handles(contract.listSkippedRows)
  listSkippedRows(call: CallOf<typeof contract.listSkippedRows>) {
    return this.importTasks.listSkippedRows(call)
  }

  @Handles(contract.describeTaskFile)
  describeTaskFile(call: CallOf<typeof contract.describeTaskFile>) {
    return this.importTasks.describeTaskFile(call)
  }

  @Handles(contract.readTaskFile)
  readTaskFile(call: CallOf<typeof contract.readTaskFile>) {
    return this.importTasks.readTaskFile(call)
  }
}
