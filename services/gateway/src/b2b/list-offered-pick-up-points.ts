import { listOfferedPickUpPoints as command } from '@partsbus/contracts/stock/commands'
import type { FastifyRequest } from 'fastify'
import { addressKey } from '@partsbus/platform/net/address-key'
import { requestSettings } from '../auth/request-settings.js'
import type { GatewayContext } from '../context.js'
import { withRequestScope } from '../http/request-calls.js'

/** `POST /get-pick-up-points` (partners.md#pick-up-points-1). Its body is not read. */
export function listOfferedPickUpPoints(ctx: GatewayContext) {
  return (request: FastifyRequest): Promise<unknown> =>
    ctx.admission.b2bOwn.run(async () => {
      const { pick_up_points } = await withRequestScope(ctx, request).calls.request(
        command,
        {},
        { settings: requestSettings(request).call },
      )
      return { result: true, message: 'OK', pick_up_points }
    }, addressKey(request.address))
}
