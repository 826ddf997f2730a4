import { CounterStore } from '@partsbus/platform/counter-store'
import { LeaseStore } from '@partsbus/platform/lease-store'
import type { ServiceParts } from '@partsbus/platform/parts'
import { SecretBox } from '@partsbus/platform/secret-box'
import type { PricingImportConfig } from './config.js'
import { FileFolder } from './files/file-folder.js'
import { FileStore } from './files/file-store.js'
import { openImportMetrics, type ImportMetrics } from './imports/import-metrics.js'
import { ImportNudges } from './imports/import-nudges.js'
import { LiveOffers } from './offers/live-offers.js'
import { OfferStore } from './offers/offer-store.js'
import { PriceListStore } from './price-lists/price-list-store.js'
import { importSource } from './sources/import-source.js'
import { SourceRuns } from './sources/source-runs.js'
import { SkippedRowStore } from './tasks/skipped-row-store.js'
import { TaskStore } from './tasks/task-store.js'
import { type FreshUploads, openFreshUploads } from './uploads/fresh-uploads.js'

/** What the service owns, built once. */
export interface PricingImportContext {
  parts: ServiceParts
  config: PricingImportConfig
  counters: CounterStore
  secrets: SecretBox
  lists: PriceListStore
  tasks: TaskStore
  skippedRows: SkippedRowStore
  offers: OfferStore
  liveOffers: LiveOffers
  files: FileStore
  uploads: FreshUploads
  nudges: ImportNudges
  metrics: ImportMetrics
  sources: SourceRuns
}

export async function createContext(parts: ServiceParts, config: PricingImportConfig): Promise<PricingImportContext> {
  const { db } = parts.mongo
  const counters = new CounterStore(db.collection('counters'))
  const lists = new PriceListStore(db)
  const tasks = new TaskStore(db)
  const offers = new OfferStore(db.collection('offers'))
  const files = new FileStore(db.collection('files'), db.collection('file_chunks'), counters, config.FILES_PATH === undefined ? undefined : new FileFolder(config.FILES_PATH))
  await Promise.all([lists.prepare(), tasks.prepare(), offers.prepare(), files.prepare()])
  const ctx: PricingImportContext = {
    parts,
    config,
    counters,
    secrets: new SecretBox(config.SECRETS_KEY),
    lists,
    tasks,
    skippedRows: new SkippedRowStore(db.collection('skipped_rows')),
    offers,
    liveOffers: new LiveOffers(lists, offers),
    files,
    uploads: openFreshUploads(parts.bus, config.UPLOADS_PATH),
    nudges: new ImportNudges(parts.bus, parts.log),
    metrics: openImportMetrics(parts.metrics.registry, tasks),
    sources: new SourceRuns({
      lists, leases: new LeaseStore(db.collection('leases')), log: parts.log, import: (listId, sourceId) => importSource(ctx, listId, sourceId),
    }),
  }
  return ctx
}
