import type { CallScope } from '@partsbus/platform/bus/call-scope'
import type { SettingsSnapshot } from '../settings/settings-cache.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** the media type as it was sent; Fastify's own parsing never sees it */
    sentMediaType: string | undefined
    /** the client's address; undefined when a trusted proxy named none */
    address: string | undefined
    /** what the services are told of this request beside its body */
    scope: CallScope
    /** the settings this request was admitted under */
    held: SettingsSnapshot | undefined
    /** code of the error that was answered, for the log */
    errorCode: string | undefined
  }
}

/** The settings a door put on the request when it let it in. */
export function requestSettings(request: { held: SettingsSnapshot | undefined }): SettingsSnapshot {
  if (!request.held) throw new Error('the route stands outside a door')
  return request.held
}
