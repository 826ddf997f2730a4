import type { FastifyInstance, FastifyRequest } from 'fastify'
import { trackRoutes } from '../http/route-registry.js'
import { assertOpen, countWrites } from '../settings/maintenance.js'
import type { SettingsCache, SettingsSnapshot } from '../settings/settings-cache.js'
import './request-settings.js'

/**
 * Authenticates every request of an API before anything else is decided, 404 and 405 included, and before a byte of
 * the body is read (rules.md#order-of-work). Call it before the first route of the API is added.
 * @param authenticate throws the AppError that refuses the request
 */
export function addAuthHook(
  api: FastifyInstance,
  settings: Pick<SettingsCache, 'current' | 'fresh' | 'writes'>,
  apiName: 'erp' | 'b2b',
  authenticate: (settings: SettingsSnapshot, request: FastifyRequest) => void,
): void {
  const unknownRoute = trackRoutes(api)
  countWrites(api, apiName, settings)
  api.setNotFoundHandler((request) => {
    throw unknownRoute(request)
  })
  api.addHook('onRequest', (request, _reply, done) => {
    const decide = (snapshot: SettingsSnapshot): void => {
      authenticate(snapshot, request)
      if (request.is404) throw unknownRoute(request)
      assertOpen(apiName, snapshot, request)
      request.settings = snapshot
    }
    // the settings are nearly always fresh, and then no promise is made
    const snapshot = settings.fresh()
    if (snapshot instanceof Promise) {
      snapshot.then(decide).then(() => done(), done)
      return
    }
    decide(snapshot)
    done()
  })
}
