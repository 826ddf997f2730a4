import type { AppError } from '@partsbus/contracts/errors'
import type { CallSettings } from '@partsbus/contracts/gateway/settings'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { Log } from '@partsbus/platform/process/log'
import type { SettingsCache } from '../settings/settings-cache.js'
import type { AuditStore } from './audit/audit-store.js'

/** The part of the gateway's context that changes and resource routes use. */
export interface AdminContext {
  calls: Pick<BusClient, 'request' | 'forward'>
  settings: Pick<SettingsCache, 'fresh' | 'read' | 'patch' | 'issueToken' | 'revokeToken'>
  audit: AuditStore
  /** the error to respond with while the gateway's own database is down */
  mongo: { unavailable(): AppError | undefined }
  log: Log
}

/** How long a service may take for a request of an administrator, in ms. */
const TIMEOUT_MS = 10_000

/** Settings and deadline of a call for an administrator. */
export const callOptions = (
  settings: CallSettings,
  timeoutMs = TIMEOUT_MS,
): { timeoutMs: number; settings: CallSettings } => ({ timeoutMs, settings })
