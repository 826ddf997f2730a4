import { Module } from '@nestjs/common'
import { StoresModule } from '../stores.module.js'
import { VersionCleanup } from './version-cleanup.js'
import { VersionsController } from './versions.controller.js'
import { Versions } from './versions.js'

@Module({
  imports: [StoresModule],
  controllers: [VersionsController],
  providers: [Versions, VersionCleanup],
  exports: [VersionCleanup],
})
export class VersionsModule {}
