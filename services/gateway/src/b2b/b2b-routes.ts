import { type PartnerPath, partnerRows } from '@partsbus/contracts/http/partners'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { GatewayContext } from '../context.js'
import { createErrorHandler } from '../http/error-handler.js'
import { addAuthHook } from '../auth/auth-hook.js'
import { authenticateB2b } from './authenticate-b2b.js'
import { listOfferedPickUpPoints } from './list-offered-pick-up-points.js'
import { search } from './search.js'
import { showImportStatus } from './show-import-status.js'
import { uploadPriceList } from './upload-price-list.js'

/** `/api/b2b` (partners.md). */
export function b2bRoutes(ctx: GatewayContext) {
  return async (b2b: FastifyInstance): Promise<void> => {
    b2b.setErrorHandler(createErrorHandler('result', ctx.log))
    ctx.apis.countRequests(b2b, 'b2b')
    addAuthHook(b2b, ctx.settings, 'b2b', (settings, request) => {
      authenticateB2b(settings, request.raw)
      ctx.rateLimits.b2b.count(settings.tokens.b2b?.sha256 ?? '', settings.values.b2b_rate_limit)
    })

    for (const [path, handler] of Object.entries(partnerHandlers(ctx))) b2b.post(path.replace('POST ', ''), handler)
  }
}

function partnerHandlers(ctx: GatewayContext): Record<PartnerPath, RouteHandlerMethod> {
  return {
    'POST /get-pick-up-points': listOfferedPickUpPoints(ctx),
    'POST /get-brands': search(ctx, partnerRows['POST /get-brands'].command),
    'POST /get-parts': search(ctx, partnerRows['POST /get-parts'].command),
    'POST /upload-price-list': uploadPriceList(ctx),
    'POST /get-price-list-status': showImportStatus(ctx),
  }
}
