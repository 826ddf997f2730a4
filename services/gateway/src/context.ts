import type { Runtime } from '@partsbus/platform/process/runtime'
import type { GatewayConfig } from './config.js'
import { Admission } from './http/admission.js'
import { openSettingsNews } from './settings/settings-news.js'
import { SettingsHolder } from './settings/settings-holder.js'
import { SettingsStore } from './settings/settings-store.js'
import { openUploadPlace, type UploadPlace } from './uploads/upload-place.js'

/** Requests that wait for a service; the bytes keep 200 bodies of 8 MiB from being 1.6 GB. */
const ADMISSION = { requests: 200, bytes: 128 * 1024 * 1024 }

/** What the gateway owns, built once. */
export interface GatewayContext {
  config: GatewayConfig
  log: Runtime['log']
  metrics: Runtime['metrics']
  mongo: Pick<Runtime['mongo'], 'db' | 'away'>
  /** asks the services */
  calls: Pick<Runtime['calls'], 'request' | 'forward'>
  settings: SettingsHolder
  /** requests that wait for a service */
  admission: Admission
  /** files on their way to an import */
  uploads: UploadPlace
}

export function createContext(parts: Runtime, config: GatewayConfig): GatewayContext {
  const { log, metrics, mongo, calls } = parts
  const settings = new SettingsHolder({
    store: new SettingsStore(mongo.db),
    news: openSettingsNews(parts.bus),
    log,
    isDatabaseDown: () => mongo.away() !== undefined,
  })
  return {
    config,
    log,
    metrics,
    mongo,
    calls,
    settings,
    admission: new Admission(ADMISSION),
    uploads: openUploadPlace(parts.bus, config.UPLOADS_PATH),
  }
}
