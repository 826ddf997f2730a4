import { AppError } from '@partsbus/contracts/errors'
import type { FastifyRequest } from 'fastify'
import type { SettingsSnapshot } from './settings-cache.js'

type Api = 'erp' | 'b2b' | 'admin'

/** `Retry-After` of a request that is refused during maintenance, in seconds. */
const RETRY_AFTER_S = 60

const READING = new Set(['GET', 'HEAD'])

/**
 * Calls with another method that are answered during maintenance. They read only, or an administrator needs them to end
 * it and to restore a backup: settings, tokens and sessions.
 */
const OPEN: Record<Api, ReadonlySet<string>> = {
  erp: new Set(['POST /products/status']),
  b2b: new Set(['POST /get-pick-up-points', 'POST /get-brands', 'POST /get-parts', 'POST /get-price-list-status']),
  admin: new Set([
    'POST /search/brands',
    'POST /search/parts',
    'POST /storages/test',
    'POST /storages/:id/test',
    'POST /price-lists/:id/sources/test',
    'PATCH /settings',
    'POST /settings/erp-token',
    'DELETE /settings/erp-token',
    'POST /settings/b2b-token',
    'DELETE /settings/b2b-token',
    'POST /session',
    'DELETE /session',
    'DELETE /sessions',
    'DELETE /sessions/:id',
  ]),
}

/** Whether a route is answered during maintenance (admin.md#maintenance). @param path without the prefix of its API */
export function isOpenInMaintenance(api: Api, method: string, path: string): boolean {
  return READING.has(method) || OPEN[api].has(`${method} ${path}`)
}

/** @throws AppError DISABLED with the text of the administrator when the request would write during maintenance */
export function assertOpen(api: Api, { values }: SettingsSnapshot, request: FastifyRequest): void {
  if (values.maintenance === null) return
  const path = request.routeOptions.url?.slice(`/api/${api}`.length) ?? ''
  if (isOpenInMaintenance(api, request.method, path)) return
  throw new AppError('DISABLED', values.maintenance, { details: { retryAfter: RETRY_AFTER_S } })
}
