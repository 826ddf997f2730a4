import type { FastifyInstance } from 'fastify'
import type { SettingsSnapshot } from '../settings/settings-cache.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** the settings under which this request was authenticated */
    settings: SettingsSnapshot | undefined
  }
}

export function decorateRequestSettings(app: FastifyInstance): void {
  app.decorateRequest('settings')
}

/** The settings under which a request was authenticated. They stay the same until it is answered. */
export function requestSettings(request: { settings: SettingsSnapshot | undefined }): SettingsSnapshot {
  if (!request.settings) throw new Error('the route has no auth hook')
  return request.settings
}
