import { AppError, texts } from '@partsbus/contracts/app-error'
import { adminRows } from '@partsbus/contracts/http/admin'
import { erpRows } from '@partsbus/contracts/http/erp'
import { partnerRows } from '@partsbus/contracts/http/partners'
import type { Row } from '@partsbus/contracts/http/row'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SettingsCache, SettingsSnapshot } from './settings-cache.js'

type Api = 'erp' | 'b2b' | 'admin'

/** `Retry-After` of a request that is refused during maintenance, in seconds. */
const RETRY_AFTER_S = 60

const READING = new Set(['GET', 'HEAD'])

/**
 * Calls with another method that are answered during maintenance. They read only, or an administrator needs them to end
 * it and to restore a backup: settings, tokens and sessions.
 */
const OPEN: Record<Api, ReadonlySet<string>> = {
  erp: openPaths(erpRows),
  b2b: openPaths(partnerRows),
  admin: openPaths(adminRows),
}

function openPaths(rows: Readonly<Record<string, Row>>): ReadonlySet<string> {
  const open = Object.entries(rows).filter(([, { readsOnly, servesMaintenance }]) => readsOnly || servesMaintenance)
  return new Set(open.map(([path]) => path))
}

/** Whether a route is answered during maintenance (admin.md#maintenance). @param path without the prefix of its API */
export function isOpenInMaintenance(api: Api, method: string, path: string): boolean {
  return READING.has(method) || OPEN[api].has(`${method} ${path}`)
}

/** @throws AppError DISABLED with the text of the administrator when the request would write during maintenance */
export function assertOpen(api: Api, { values }: SettingsSnapshot, request: FastifyRequest): void {
  if (values.maintenance === null) return
  if (isOpenInMaintenance(api, request.method, pathOf(api, request.routeOptions.url))) return
  throw refusal(values.maintenance)
}

/**
 * Counts the requests of an API that write, for a backup that waits for their end. One whose body arrives after
 * maintenance began is refused, too. Call it before the first route of the API is added.
 */
export function countWrites(
  api: FastifyInstance,
  name: Api,
  settings: Pick<SettingsCache, 'current' | 'writes'>,
): void {
  api.addHook('onRoute', (route) => {
    const { handler, url } = route
    if ([route.method].flat().every((method) => isOpenInMaintenance(name, method, pathOf(name, url)))) return
    route.handler = async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      const end = settings.writes.begin(`${request.method} ${url}`)
      if (!end) throw refusal(settings.current().values.maintenance ?? texts.unavailable)
      try {
        return await handler.call(this, request, reply)
      } finally {
        end()
      }
    }
  })
}

function refusal(text: string): AppError {
  return new AppError('DISABLED', text, { details: { retryAfter: RETRY_AFTER_S } })
}

function pathOf(api: Api, url = ''): string {
  return url.slice(`/api/${api}`.length)
}
