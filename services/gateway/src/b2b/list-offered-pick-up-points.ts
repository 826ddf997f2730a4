import { listOfferedPickUpPoints as command } from '@partsbus/contracts/stock'
import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { withRequestScope } from '../http/request-calls.js'
import { requestSettings } from '../http/request-state.js'

/** `POST /get-pick-up-points` (partners.md#pick-up-points): the active ones by id. Body and media type do not matter. */
export function listOfferedPickUpPoints(ctx: GatewayContext) {
  return (request: FastifyRequest): Promise<unknown> =>
    ctx.admission.run(async () => {
      const { pick_up_points } = await withRequestScope(ctx, request).calls.request(
        command,
        {},
        { settings: requestSettings(request).call },
      )
      return { result: true, message: 'OK', pick_up_points }
    })
}
