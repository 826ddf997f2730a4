import { findBrands, findParts } from '@partsbus/contracts/search'
import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.js'
import { createErrorHandler } from '../http/error-handler.js'
import { addAuthHook } from '../http/auth/auth-hook.js'
import { RateLimit } from '../http/limits/rate-limit.js'
import { authenticateB2b } from './authenticate-b2b.js'
import { listOfferedPickUpPoints } from './list-offered-pick-up-points.js'
import { search } from './search.js'
import { showImportStatus } from './show-import-status.js'
import { uploadPriceList } from './upload-price-list.js'

/** `/api/b2b`: the checks of every request in their order, then the routes (partners.md#authentication). */
export function b2bRoutes(ctx: GatewayContext) {
  return async (b2b: FastifyInstance): Promise<void> => {
    const rateLimit = new RateLimit()
    b2b.setErrorHandler(createErrorHandler('result', ctx.log))
    addAuthHook(b2b, ctx.settings, (held, request) => {
      authenticateB2b(held, request.raw)
      rateLimit.take(held.tokens.b2b?.sha256 ?? '', held.values.b2b_rate_limit)
    })

    b2b.post('/get-pick-up-points', listOfferedPickUpPoints(ctx))
    b2b.post('/get-brands', search(ctx, findBrands))
    b2b.post('/get-parts', search(ctx, findParts))
    b2b.post('/upload-price-list', uploadPriceList(ctx))
    b2b.post('/get-price-list-status', showImportStatus(ctx))
  }
}
