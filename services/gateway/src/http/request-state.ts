import type { CallScope } from '@partsbus/platform/bus/call-scope'
import type { HeldSettings } from '../settings/settings-holder.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** the media type as it was sent; Fastify's own parsing never sees it */
    sentMediaType: string | undefined
    /** the client's address; undefined when a trusted proxy named none */
    address: string | undefined
    /** what the services are told of this request beside its body */
    scope: CallScope
    /** the settings this request was admitted under */
    held: HeldSettings | undefined
    /** code of the error that was answered, for the log */
    errorCode: string | undefined
  }
}

/** The settings a door put on the request when it let it in. */
export function admittedUnder(request: { held: HeldSettings | undefined }): HeldSettings {
  if (!request.held) throw new Error('the route stands outside a door')
  return request.held
}
