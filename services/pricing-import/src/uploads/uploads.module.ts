import { Module } from '@nestjs/common'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { BUS, CONFIG } from '@partsbus/platform/process/injection-tokens'
import { openUploadReader } from '@partsbus/upload-store/open-upload-store'
import type { PricingImportConfig } from '../config.js'
import { ImportTasksModule } from '../import-tasks/import-tasks.module.js'
import { ReadingModule } from '../reading/reading.module.js'
import { StoresModule } from '../stores.module.js'
import { AcceptUpload } from './accept-upload.js'
import { CheckedUploads, UPLOADS } from './checked-uploads.js'
import { CompareWithLive } from '../offers/compare-with-live.js'
import { PreviewUpload } from './preview-upload.js'
import { PreviewedFiles } from './previewed-files.js'
import { ShownBrands } from './shown-brands.js'
import { UploadsController } from './uploads.controller.js'

const uploads = {
  provide: UPLOADS,
  useFactory: (bus: BusConnection, config: PricingImportConfig) => openUploadReader(bus, config.UPLOADS_PATH),
  inject: [BUS, CONFIG],
}

@Module({
  imports: [StoresModule, ImportTasksModule, ReadingModule],
  controllers: [UploadsController],
  providers: [uploads, CheckedUploads, AcceptUpload, PreviewedFiles, CompareWithLive, ShownBrands, PreviewUpload],
  exports: [UPLOADS],
})
export class UploadsModule {}
