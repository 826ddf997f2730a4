import type { AppError } from '@partsbus/contracts/errors'
import type { CallSettings } from '@partsbus/contracts/gateway/settings'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import type { Log } from '@partsbus/platform/process/log'
import type { FastifyRequest } from 'fastify'
import { withRequestScope } from '../http/request-calls.js'
import type { SettingsCache } from '../settings/settings-cache.js'
import { type Administrator, anonymous } from './administrators/request-administrator.js'
import type { AuditStore } from './audit/audit-store.js'

/** The sender and the id of a request, which the audit log records with a change. */
export interface Caller {
  administrator: Pick<Administrator, 'id' | 'name'>
  requestId: string
  /** undefined when a trusted proxy named none */
  address: string | undefined
}

/** The part of the gateway's context that changes and resource routes use. */
export interface AdminContext {
  calls: Pick<BusClient, 'request' | 'forward'>
  settings: Pick<SettingsCache, 'fresh' | 'read' | 'patch' | 'issueToken' | 'revokeToken'>
  audit: AuditStore
  leases: Pick<LeaseStore, 'withLease'>
  /** the error to respond with while the gateway's own database is down */
  mongo: { unavailable(): AppError | undefined }
  log: Log
  caller: Caller
}

/** The context of one request: its calls carry the id of the request, and its changes the name of the administrator. */
export function adminContext<Context extends Omit<AdminContext, 'caller'>>(
  ctx: Context,
  request: Pick<FastifyRequest, 'administrator' | 'scope' | 'id' | 'address'>,
): Context & AdminContext {
  return {
    ...withRequestScope(ctx, request),
    caller: { administrator: request.administrator ?? anonymous, requestId: request.id, address: request.address },
  }
}

/** How long a service may take for a request of an administrator, in ms. */
const TIMEOUT_MS = 10_000

/** Settings and deadline of a call for an administrator. */
export const callOptions = (
  settings: CallSettings,
  timeoutMs = TIMEOUT_MS,
): { timeoutMs: number; settings: CallSettings } => ({ timeoutMs, settings })
