import { deactivateCategories, deactivateProducts, upsertCategories, upsertProducts } from '@partsbus/contracts/catalog'
import { updateStocks } from '@partsbus/contracts/stock'
import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.js'
import { answerError } from '../http/answer-error.js'
import { RateLimit } from '../http/rate-limit.js'
import { rememberPaths } from '../http/unknown-path.js'
import { admitErp, requireStockTarget } from './admit-erp.js'
import { forward } from './forward.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route writes ERP stock (ERP document, "Pre-checks") */
    writesStock?: boolean
  }
}

/**
 * `/api/erp`: the checks of every request, then the routes.
 * The checks run before anything else is decided, 404 and 405 included, and before a byte of the body is read.
 */
export function erpDoor(ctx: GatewayContext) {
  return async (erp: FastifyInstance): Promise<void> => {
    const unknownPath = rememberPaths(erp)
    const rateLimit = new RateLimit()
    erp.setErrorHandler(answerError('message', ctx.log))
    erp.addHook('onRequest', async (request) => {
      const held = await ctx.settings.fresh()
      admitErp(held, request)
      if (request.routeOptions.config.writesStock) requireStockTarget(held)
      rateLimit.take(held.tokens.erp?.sha256 ?? '', held.values.erp_rate_limit)
      if (request.is404) throw unknownPath(request)
      request.held = held
    })
    erp.setNotFoundHandler((request) => { throw unknownPath(request) })

    erp.get('/ping', async () => ({ status: 'ok' }))
    erp.post('/categories/batch-upsert', forward(ctx, upsertCategories))
    erp.post('/categories/delete', forward(ctx, deactivateCategories))
    erp.post('/products/batch-upsert', forward(ctx, upsertProducts))
    erp.post('/products/delete', forward(ctx, deactivateProducts))
    erp.post('/stocks/batch-update', { config: { writesStock: true } }, forward(ctx, updateStocks))
  }
}
