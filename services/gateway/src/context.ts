import type { Runtime } from '@partsbus/platform/process/runtime'
import type { GatewayConfig } from './config.js'
import { Admission } from './http/limits/admission.js'
import { openSettingsBroadcast } from './settings/settings-broadcast.js'
import { SettingsCache } from './settings/settings-cache.js'
import { SettingsStore } from './settings/settings-store.js'
import { openUploadPlace, type UploadPlace } from './uploads/upload-place.js'

/** Requests that wait for a service; the bytes keep 200 bodies of 8 MiB from being 1.6 GB. */
const ADMISSION = { requests: 200, bytes: 128 * 1024 * 1024 }

/** What the gateway owns, built once. */
export interface GatewayContext {
  config: GatewayConfig
  log: Runtime['log']
  metrics: Runtime['metrics']
  mongo: Pick<Runtime['mongo'], 'db' | 'unavailable'>
  /** asks the services */
  calls: Pick<Runtime['calls'], 'request' | 'forward'>
  settings: SettingsCache
  /** requests that wait for a service */
  admission: Admission
  /** files on their way to an import */
  uploads: UploadPlace
}

export function createContext(parts: Runtime, config: GatewayConfig): GatewayContext {
  const { log, metrics, mongo, calls } = parts
  const settings = new SettingsCache({
    store: new SettingsStore(mongo.db),
    news: openSettingsBroadcast(parts.bus),
    log,
    isDatabaseDown: () => mongo.unavailable() !== undefined,
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
