import { findBrands, findParts } from '@partsbus/contracts/search'
import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.js'
import { answerError } from '../http/answer-error.js'
import { addDoorChecks } from '../http/door-checks.js'
import { RateLimit } from '../http/rate-limit.js'
import { admitB2b } from './admit-b2b.js'
import { listPickUpPoints } from './list-pick-up-points.js'
import { search } from './search.js'
import { showImportStatus } from './show-import-status.js'
import { uploadPriceList } from './upload-price-list.js'

/** `/api/b2b`: the checks of every request in their order, then the routes (B2B document). */
export function b2bDoor(ctx: GatewayContext) {
  return async (b2b: FastifyInstance): Promise<void> => {
    const rateLimit = new RateLimit()
    b2b.setErrorHandler(answerError('result', ctx.log))
    addDoorChecks(b2b, ctx.settings, (held, request) => {
      admitB2b(held, request.raw)
      rateLimit.take(held.tokens.b2b?.sha256 ?? '', held.values.b2b_rate_limit)
    })

    b2b.post('/get-pick-up-points', listPickUpPoints(ctx))
    b2b.post('/get-brands', search(ctx, findBrands))
    b2b.post('/get-parts', search(ctx, findParts))
    b2b.post('/upload-price-list', uploadPriceList(ctx))
    b2b.post('/get-price-list-status', showImportStatus(ctx))
  }
}
