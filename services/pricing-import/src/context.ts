import { getHeapStatistics } from 'node:v8'
import { changes } from '@partsbus/contracts/cache-invalidation'
import { currentSettings } from '@partsbus/contracts/gateway'
import type { CallSettings } from '@partsbus/contracts/settings'
import { InvalidatedCache, publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import type { Runtime } from '@partsbus/platform/process/runtime'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import { readerMemoryMb } from '@partsbus/price-file/reader-process/reader-memory'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { PricingImportConfig } from './config.js'
import { FileStore } from './files/file-store.js'
import { openDrivers } from './files/open-drivers.js'
import { openImportMetrics, type ImportMetrics } from './imports/import-metrics.js'
import { ImportNudges } from './imports/import-nudges.js'
import { LiveOffers } from './offers/live-offers.js'
import { OfferStore } from './offers/offer-store.js'
import { PriceListStore } from './price-lists/price-list-store.js'
import { importSource } from './sources/import-source.js'
import { SourceRuns } from './sources/source-runs.js'
import { SkippedRowStore } from './tasks/skipped-row-store.js'
import { TaskStore } from './tasks/task-store.js'
import { openUploadReader } from '@partsbus/upload-store/open-upload-store'
import type { UploadReader } from '@partsbus/upload-store/upload-reader'

import { VersionStore } from './versions/version-store.js'

/** Each is a child process of about 50 MB that needs a core for a moment. */
const CHECKS = 4

/** What the service owns, built once. */
export interface PricingImportContext {
  parts: Runtime
  config: PricingImportConfig
  counters: CounterStore
  secrets: SecretBox
  lists: PriceListStore
  versions: VersionStore
  tasks: TaskStore
  skippedRows: SkippedRowStore
  offers: OfferStore
  liveOffers: LiveOffers
  files: FileStore
  uploads: UploadReader
  leases: LeaseStore
  /** uploads that are on this disk and in readers at a time, previews included */
  checks: Semaphore
  /** limit of each reader process, in MB */
  readerMemoryMb: number
  nudges: ImportNudges
  metrics: ImportMetrics
  sources: SourceRuns
  /** the settings as they are now, for work that no request brings them to. @throws AppError UNAVAILABLE */
  settings: () => Promise<CallSettings>
  /** milliseconds, by the database's clock */
  clock: () => Promise<number>
}

export async function createContext(parts: Runtime, config: PricingImportConfig): Promise<PricingImportContext> {
  const { db } = parts.mongo
  const counters = new CounterStore(db.collection('counters'))
  const liveChanged = (): Promise<void> => publishInvalidation(parts.bus, changes.liveVersions)
  const lists = new PriceListStore(db, liveChanged)
  const versions = new VersionStore(db, liveChanged)
  const tasks = new TaskStore(db)
  const offers = new OfferStore(db)
  const files = new FileStore(db.collection('files'), await openDrivers(db, config), counters)
  await Promise.all([lists.prepare(), tasks.prepare(), offers.prepare(), files.prepare()])
  await raiseCounters(counters, tasks, versions)
  const leases = new LeaseStore(db.collection('leases'))
  const ctx: PricingImportContext = {
    parts,
    config,
    counters,
    settings: () => parts.calls.request(currentSettings, {}),
    clock: async () => (await databaseNow(db)).getTime(),
    secrets: new SecretBox(config.SECRETS_KEY),
    lists,
    versions,
    tasks,
    skippedRows: new SkippedRowStore(db),
    offers,
    liveOffers: new LiveOffers(versions, offers, new InvalidatedCache(parts.bus, changes.liveVersions)),
    files,
    leases,
    uploads: openUploadReader(parts.bus, config.UPLOADS_PATH),
    checks: new Semaphore(CHECKS),
    readerMemoryMb: readerMemoryMb({
      limit: process.constrainedMemory(),
      heap: getHeapStatistics().heap_size_limit,
      readers: CHECKS + config.IMPORT_PARALLEL,
    }),
    nudges: new ImportNudges(parts.bus, parts.log),
    metrics: openImportMetrics(parts.metrics.registry, tasks),
    sources: new SourceRuns({
      lists,
      leases,
      log: parts.log,
      settings: () => ctx.settings(),
      clock: () => ctx.clock(),
      import: (run) => importSource(ctx, run),
    }),
  }
  return ctx
}

/**
 * After a restore from a backup the counters may be behind the stored ids. An import with a low id would be superseded at
 * once, or fail for its id.
 */
async function raiseCounters(counters: CounterStore, tasks: TaskStore, versions: VersionStore): Promise<void> {
  const [task, highest] = await Promise.all([tasks.highestId(), versions.highestIds()])
  await counters.raiseTo('import_tasks', Math.max(task, highest.version))
  await counters.raiseTo('price_lists', highest.list)
}
