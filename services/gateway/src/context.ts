import { randomUUID } from 'node:crypto'
import type { ProcessRuntime } from '@partsbus/platform/process/start-process'
import { openUploadWriter } from '@partsbus/upload-store/open-upload-store'
import type { UploadWriter } from '@partsbus/upload-store/upload-writer'
import { type Accounts, openAccounts } from './admin/administrators/accounts.js'
import { publicPath } from './addresses/base-url.js'
import { builtPagesFolder, type PageFiles, readPageFiles } from './admin-pages/page-files.js'
import type { GatewayConfig } from './config.js'
import { type ApiAdmissions, createApiAdmissions } from './http/limits/api-admissions.js'
import { type ApiRateLimits, openRateLimits } from './http/limits/rate-limits.js'
import { builtDocuments } from '@partsbus/openapi/documents'
import { ApiCounter } from './reports/api-counter.js'
import { ErpBatchReporter } from './reports/erp-batch-reporter.js'
import { acknowledgeSettings } from './settings/acknowledge-settings.js'
import { SettingsCache } from './settings/settings-cache.js'

/** The objects that the routes of the gateway share. */
export interface GatewayContext {
  config: GatewayConfig
  log: ProcessRuntime['log']
  metrics: ProcessRuntime['metrics']
  calls: Pick<ProcessRuntime['calls'], 'request' | 'forward'>
  settings: SettingsCache
  accounts: Accounts
  /** the latest batches of the ERP */
  batches: ErpBatchReporter
  /** counts the requests of the ERP API and the partner API */
  apis: ApiCounter
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
  { log, metrics, calls, bus }: Pick<ProcessRuntime, 'log' | 'metrics' | 'calls' | 'bus'>,
  config: GatewayConfig,
): GatewayContext {
  const gateway = randomUUID()
  const settings = new SettingsCache({ gateway, calls, drain: () => bus.nc.flush(), log })
  acknowledgeSettings(bus, gateway, settings)
  return {
    config,
    log,
    metrics,
    calls,
    settings,
    accounts: openAccounts(config, { bus, calls }),
    batches: new ErpBatchReporter(calls, log),
    apis: new ApiCounter(calls, log),
    admission: createApiAdmissions(),
    rateLimits: openRateLimits(bus),
    uploads: openUploadWriter(bus, config.UPLOADS_PATH),
    pages: readPageFiles(builtPagesFolder(), publicPath(config.PUBLIC_URL)),
    documents: builtDocuments,
  }
}
