import type { findBrands, findParts } from '@partsbus/contracts/search'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { requestSettings } from '../http/request-state.js'
import { readOptionalJson } from '../http/body/read-optional-json.js'
import { MAX_BODY_BYTES } from './max-body.js'
import { takeSuppliers } from './take-suppliers.js'

/** The search answers within 10 s (rules.md#suppliers-time); a little more, for its way. */
const TIMEOUT_MS = 12_000

/** `POST /get-brands` and `POST /get-parts`: what became of each storage goes into a header, beside the documented body. */
export function search(ctx: GatewayContext, command: typeof findBrands | typeof findParts) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> =>
    ctx.admission.run(async (hold) => {
      const body = await readOptionalJson(request, reply, hold, MAX_BODY_BYTES)
      const bytes = await ctx.calls.forward(command, body, {
        timeoutMs: TIMEOUT_MS,
        scope: request.scope,
        settings: requestSettings(request).call,
      })
      const { suppliers, answer } = takeSuppliers(bytes)
      reply.headers({ 'x-suppliers': suppliers, 'content-type': 'application/json; charset=utf-8' })
      return answer
    })
}
