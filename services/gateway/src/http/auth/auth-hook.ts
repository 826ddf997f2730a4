import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SettingsSnapshot, SettingsCache } from '../../settings/settings-cache.js'
import { trackRoutes } from '../route-registry.js'

/**
 * Makes a plugin a door: its checks run before anything else is decided, 404 and 405 included, and before a byte of
 * the body is read. Call it before the door's first route.
 * @param check throws the AppError to refuse with
 */
export function addAuthHook(
  door: FastifyInstance,
  settings: SettingsCache,
  check: (held: SettingsSnapshot, request: FastifyRequest) => void,
): void {
  const unknownPath = trackRoutes(door)
  door.setNotFoundHandler((request) => {
    throw unknownPath(request)
  })
  door.addHook('onRequest', (request, _reply, done) => {
    const decide = (held: SettingsSnapshot): void => {
      check(held, request)
      if (request.is404) throw unknownPath(request)
      request.held = held
    }
    // nearly always there is nothing to wait for, and then no promise is made
    const held = settings.fresh()
    if (held instanceof Promise) {
      held.then(decide).then(() => done(), done)
      return
    }
    decide(held)
    done()
  })
}
