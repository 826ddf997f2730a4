import type { AppError } from '@partsbus/contracts/errors'
import type { CallSettings } from '@partsbus/contracts/settings'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { Log } from '@partsbus/platform/process/log'
import type { SettingsCache } from '../settings/settings-cache.js'
import type { AuditStore } from './audit/audit-store.js'

/** What the admin API needs of the gateway. */
export interface AdminContext {
  calls: Pick<BusClient, 'request' | 'forward'>
  settings: Pick<SettingsCache, 'fresh' | 'patch' | 'issueToken' | 'revokeToken'>
  audit: AuditStore
  /** the gateway's own database: the error to answer with while it is away */
  mongo: { unavailable(): AppError | undefined }
  log: Log
}

/** How long a service may take to answer an administrator. */
const TIMEOUT_MS = 10_000

/** Settings and deadline of a call that an administrator makes. */
export const callOptions = (
  settings: CallSettings,
  timeoutMs = TIMEOUT_MS,
): { timeoutMs: number; settings: CallSettings } => ({ timeoutMs, settings })
