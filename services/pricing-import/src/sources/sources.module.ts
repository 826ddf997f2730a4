import { Module } from '@nestjs/common'
import { ImportTasksModule } from '../import-tasks/import-tasks.module.js'
import { ImportsModule } from '../imports/imports.module.js'
import { ReadingModule } from '../reading/reading.module.js'
import { SecretsModule } from '../secrets.module.js'
import { StoresModule } from '../stores.module.js'
import { FetchAndImport } from './fetch-and-import.js'
import { ImportSource } from './import-source.js'
import { RecordRun } from './record-run.js'
import { RunSource } from './run-source.js'
import { SourceRuns } from './source-runs.js'
import { SourcePasswords } from './source-passwords.js'
import { SourceSlots } from './source-slots.js'
import { SourcesController } from './sources.controller.js'
import { TestSource } from './test-source.js'

@Module({
  imports: [StoresModule, SecretsModule, ImportsModule, ImportTasksModule, ReadingModule],
  controllers: [SourcesController],
  providers: [RunSource, TestSource, SourcePasswords, SourceSlots, SourceRuns, ImportSource, FetchAndImport, RecordRun],
  exports: [SourceRuns],
})
export class SourcesModule {}
