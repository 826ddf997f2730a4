import { Module } from '@nestjs/common'
import { ImportTasksModule } from '../import-tasks/import-tasks.module.js'
import { SecretsModule } from '../secrets.module.js'
import { StoresModule } from '../stores.module.js'
import { ImportFiguresStore } from './import-figures-store.js'
import { OverviewController } from './overview.controller.js'
import { Overview } from './overview.js'
import { QueueGauges } from './queue-gauges.js'

@Module({
  imports: [StoresModule, SecretsModule, ImportTasksModule],
  controllers: [OverviewController],
  providers: [Overview, ImportFiguresStore, QueueGauges],
})
export class OverviewModule {}
