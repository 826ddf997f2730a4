import { Module } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import { MaintenanceWatch } from '@partsbus/platform/bus/maintenance-watch'
import { BUS, CONFIG } from '@partsbus/platform/process/injection-tokens'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { openUploadReader } from '@partsbus/upload-store/open-upload-store'
import { ReadKnownBrands } from './brands/read-known-brands.js'
import { ShownBrands } from './brands/shown-brands.js'
import { ChangePages } from './changes/change-pages.js'
import { CompareVersions } from './changes/compare-versions.js'
import { Comparisons } from './changes/comparisons.js'
import { Cleanup } from './cleanup.js'
import type { PricingImportConfig } from './config.js'
import { ExportChanges } from './exports/export-changes.js'
import { ExportOffers } from './exports/export-offers.js'
import { ExportSkipped } from './exports/export-skipped.js'
import { Exports } from './exports/exports.js'
import { OpenExports } from './exports/open-exports.js'
import { fileStore } from './files/file-store.js'
import { DescribeTasks } from './import-tasks/describe-tasks.js'
import { ImportQueue } from './import-tasks/import-queue.js'
import { ImportTasks } from './import-tasks/import-tasks.js'
import { SkippedRowStore } from './import-tasks/skipped-row-store.js'
import { TaskCleanup } from './import-tasks/task-cleanup.js'
import { RowNames } from './import-tasks/row-names.js'
import { TaskStore } from './import-tasks/task-store.js'
import { CopyLiveOffers } from './imports/copy-live-offers.js'
import { ImportMetrics } from './imports/import-metrics.js'
import { ImportNudges } from './imports/import-nudges.js'
import { ImportPriceList } from './imports/import-price-list.js'
import { ImportWorker } from './imports/import-worker.js'
import { PublishVersion } from './imports/publish-version.js'
import { RunImport } from './imports/run-import.js'
import { WriteRows } from './imports/write-rows.js'
import { Jobs } from './jobs.js'
import { CompareWithLive } from './offers/compare-with-live.js'
import { LiveOffers } from './offers/live-offers.js'
import { OfferPages } from './offers/offer-pages.js'
import { OfferStore } from './offers/offer-store.js'
import { Offers } from './offers/offers.js'
import { ImportFiguresStore } from './overview/import-figures-store.js'
import { Overview } from './overview/overview.js'
import { QueueGauges } from './overview/queue-gauges.js'
import { CreatePriceList } from './price-lists/create-price-list.js'
import { DeletePriceList } from './price-lists/delete-price-list.js'
import { ListPriceLists } from './price-lists/list-price-lists.js'
import { PriceListDeletions } from './price-lists/price-list-deletions.js'
import { PriceListStore } from './price-lists/price-list-store.js'
import { PriceLists } from './price-lists/price-lists.js'
import { Readers } from './reading/readers.js'
import { RestoredCounters } from './restored-counters.js'
import { FetchAndImport } from './sources/fetch-and-import.js'
import { ImportSource } from './sources/import-source.js'
import { RecordRun } from './sources/record-run.js'
import { RunSource } from './sources/run-source.js'
import { SourcePasswords } from './sources/source-passwords.js'
import { SourceRuns } from './sources/source-runs.js'
import { SourceSlots } from './sources/source-slots.js'
import { TestSource } from './sources/test-source.js'
import { AcceptUpload } from './uploads/accept-upload.js'
import { CheckedUploads, UPLOADS } from './uploads/checked-uploads.js'
import { PreviewUpload } from './uploads/preview-upload.js'
import { PreviewedFiles } from './uploads/previewed-files.js'
import { VersionCleanup } from './versions/version-cleanup.js'
import { VersionStore } from './versions/version-store.js'
import { Versions } from './versions/versions.js'

const liveOffers = {
  provide: LiveOffers,
  useFactory: (versions: VersionStore, offers: OfferStore, bus: BusConnection) =>
    new LiveOffers(versions, offers, new InvalidatedCache(bus, changes.liveVersions)),
  inject: [VersionStore, OfferStore, BUS],
}
const secretBox = {
  provide: SecretBox,
  useFactory: (config: PricingImportConfig) => new SecretBox(config.SECRETS_KEY),
  inject: [CONFIG],
}
const uploadReader = {
  provide: UPLOADS,
  useFactory: (bus: BusConnection, config: PricingImportConfig) => openUploadReader(bus, config.UPLOADS_PATH),
  inject: [BUS, CONFIG],
}

const stores = [
  PriceListStore,
  VersionStore,
  TaskStore,
  RowNames,
  SkippedRowStore,
  OfferStore,
  ImportFiguresStore,
  fileStore,
  RestoredCounters,
]
const imports = [
  ImportQueue,
  ImportNudges,
  ImportMetrics,
  ImportWorker,
  RunImport,
  ImportPriceList,
  WriteRows,
  CopyLiveOffers,
  PublishVersion,
  DescribeTasks,
  QueueGauges,
]
const uploads = [uploadReader, CheckedUploads, PreviewedFiles, CompareWithLive, ReadKnownBrands, ShownBrands]
const sources = [SourcePasswords, SourceSlots, SourceRuns, ImportSource, FetchAndImport, RecordRun]
const cleanup = [Cleanup, VersionCleanup, TaskCleanup, PriceListDeletions]

@Module({
  controllers: [
    PriceLists,
    ListPriceLists,
    CreatePriceList,
    DeletePriceList,
    AcceptUpload,
    PreviewUpload,
    ImportTasks,
    Versions,
    CompareVersions,
    Offers,
    ExportOffers,
    ExportChanges,
    ExportSkipped,
    Exports,
    RunSource,
    TestSource,
    Overview,
  ],
  providers: [
    ...stores,
    ...imports,
    ...uploads,
    ...sources,
    ...cleanup,
    liveOffers,
    OfferPages,
    Comparisons,
    ChangePages,
    OpenExports,
    secretBox,
    Readers,
    MaintenanceWatch,
    Jobs,
  ],
})
export class PricingImportModule {}
