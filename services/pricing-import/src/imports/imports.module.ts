import { Module } from '@nestjs/common'
import { ReadingModule } from '../reading/reading.module.js'
import { StoresModule } from '../stores.module.js'
import { VersionsModule } from '../versions/versions.module.js'
import { CopyLiveOffers } from './copy-live-offers.js'
import { ImportMetrics } from './import-metrics.js'
import { ImportNudges } from './import-nudges.js'
import { ImportPriceList } from './import-price-list.js'
import { ImportWorker } from './import-worker.js'
import { PublishVersion } from './publish-version.js'
import { RunImport } from './run-import.js'
import { WriteRows } from './write-rows.js'

@Module({
  imports: [StoresModule, VersionsModule, ReadingModule],
  providers: [
    ImportNudges,
    ImportMetrics,
    ImportWorker,
    RunImport,
    ImportPriceList,
    WriteRows,
    CopyLiveOffers,
    PublishVersion,
  ],
  exports: [ImportNudges, ImportMetrics, ImportWorker],
})
export class ImportsModule {}
