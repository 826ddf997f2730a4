import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import type { ProcessStore } from '@partsbus/platform/mongo/process-store'
import type { Runtime } from '@partsbus/platform/process/runtime'
import { type Accounts, openAccounts } from './admin/administrators/accounts.js'
import { publicPath } from './addresses/base-url.js'
import { ApiStatisticsStore } from './admin/statistics/api-statistics-store.js'
import { AuditStore } from './admin/audit/audit-store.js'
import { builtPagesFolder, type PageFiles, readPageFiles } from './admin-pages/page-files.js'
import type { GatewayConfig } from './config.js'
import { ErpBatchStore } from './erp/erp-batch-store.js'
import { type ApiAdmissions, createApiAdmissions } from './http/limits/api-admissions.js'
import { type ApiRateLimits, openRateLimits } from './http/limits/rate-limits.js'
import { builtDocuments } from './openapi/documents.js'
import { openSettingsBroadcast } from './settings/settings-broadcast.js'
import { SettingsCache } from './settings/settings-cache.js'
import { SettingsStore } from './settings/settings-store.js'
import { openUploadWriter } from '@partsbus/upload-store/open-upload-store'
import type { UploadWriter } from '@partsbus/upload-store/upload-writer'

/** The objects that the routes of the gateway share. */
export interface GatewayContext {
  config: GatewayConfig
  log: Runtime['log']
  metrics: Runtime['metrics']
  mongo: Pick<Runtime['mongo'], 'db' | 'unavailable'>
  calls: Pick<Runtime['calls'], 'request' | 'forward'>
  settings: SettingsCache
  audit: AuditStore
  leases: LeaseStore
  accounts: Accounts
  /** the latest batches of the ERP */
  batches: ErpBatchStore
  /** counts the requests of the ERP API and the partner API */
  apis: ApiStatisticsStore
  admission: ApiAdmissions
  rateLimits: ApiRateLimits
  /** documents on their way to an import */
  uploads: UploadWriter
  /** undefined where the admin pages are not built */
  pages: PageFiles | undefined
  /** the folder of the OpenAPI documents */
  documents: string
}

export function createContext(
  { log, metrics, mongo, calls, bus }: Runtime,
  config: GatewayConfig,
  registry: ProcessStore,
): GatewayContext {
  return {
    config,
    log,
    metrics,
    mongo,
    calls,
    settings: new SettingsCache({
      store: new SettingsStore(mongo.db),
      broadcast: openSettingsBroadcast(bus),
      registry,
      log,
      isDatabaseDown: () => mongo.unavailable() !== undefined,
    }),
    audit: new AuditStore(mongo.db),
    leases: new LeaseStore(mongo.db.collection('leases')),
    accounts: openAccounts(config, { bus, mongo, log }),
    batches: new ErpBatchStore(mongo.db, log),
    apis: new ApiStatisticsStore(mongo.db, log),
    admission: createApiAdmissions(),
    rateLimits: openRateLimits(bus),
    uploads: openUploadWriter(bus, config.UPLOADS_PATH),
    pages: readPageFiles(builtPagesFolder(), publicPath(config.PUBLIC_URL)),
    documents: builtDocuments,
  }
}
