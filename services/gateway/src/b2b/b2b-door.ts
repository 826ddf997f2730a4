import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.js'
import { answerError } from '../http/answer-error.js'
import { RateLimit } from '../http/rate-limit.js'
import { rememberPaths } from '../http/unknown-path.js'
import { admitB2b } from './admit-b2b.js'

/** `/api/b2b`: the checks of every request, before 404 and 405 and before a byte of the body is read. */
export function b2bDoor(ctx: GatewayContext) {
  return async (b2b: FastifyInstance): Promise<void> => {
    const unknownPath = rememberPaths(b2b)
    const rateLimit = new RateLimit()
    b2b.setErrorHandler(answerError('result', ctx.log))
    b2b.addHook('onRequest', async (request) => {
      const held = await ctx.settings.fresh()
      admitB2b(held, request.raw)
      rateLimit.take(held.tokens.b2b?.sha256 ?? '', held.values.b2b_rate_limit)
      if (request.is404) throw unknownPath(request)
      request.held = held
    })
    b2b.setNotFoundHandler((request) => { throw unknownPath(request) })
  }
}
