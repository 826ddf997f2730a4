import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.js'
import { answerError } from '../http/answer-error.js'
import { addDoorChecks } from '../http/door-checks.js'
import { RateLimit } from '../http/rate-limit.js'
import { admitB2b } from './admit-b2b.js'

/** `/api/b2b`: the checks of every request in their order. */
export function b2bDoor(ctx: GatewayContext) {
  return async (b2b: FastifyInstance): Promise<void> => {
    const rateLimit = new RateLimit()
    b2b.setErrorHandler(answerError('result', ctx.log))
    addDoorChecks(b2b, ctx.settings, (held, request) => {
      admitB2b(held, request.raw)
      rateLimit.take(held.tokens.b2b?.sha256 ?? '', held.values.b2b_rate_limit)
    })
  }
}
