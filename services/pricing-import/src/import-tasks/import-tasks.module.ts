import { Module } from '@nestjs/common'
import { ImportsModule } from '../imports/imports.module.js'
import { StoresModule } from '../stores.module.js'
import { VersionsModule } from '../versions/versions.module.js'
import { ImportQueue } from './import-queue.js'
import { ImportTasksController } from './import-tasks.controller.js'
import { ImportTasks } from './import-tasks.js'
import { TaskCleanup } from './task-cleanup.js'

@Module({
  imports: [StoresModule, VersionsModule, ImportsModule],
  controllers: [ImportTasksController],
  providers: [ImportTasks, ImportQueue, TaskCleanup],
  exports: [ImportTasks, ImportQueue, TaskCleanup],
})
export class ImportTasksModule {}
