import { deactivateCategories, deactivateProducts, upsertCategories, upsertProducts } from '@partsbus/contracts/catalog'
import { updateStocks } from '@partsbus/contracts/stock'
import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.js'
import { createErrorHandler } from '../http/error-handler.js'
import { addAuthHook } from '../http/auth/auth-hook.js'
import { RateLimit } from '../http/limits/rate-limit.js'
import { authenticateErp, requireStockTarget } from './authenticate-erp.js'
import { forward } from './forward.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route writes ERP stock (erp.md#stocks-configured) */
    writesStock?: boolean
  }
}

/** `/api/erp`: the checks of every request in their order, then the routes. */
export function erpRoutes(ctx: GatewayContext) {
  return async (erp: FastifyInstance): Promise<void> => {
    const rateLimit = new RateLimit()
    erp.setErrorHandler(createErrorHandler('message', ctx.log))
    addAuthHook(erp, ctx.settings, (held, request) => {
      authenticateErp(held, request)
      if (request.routeOptions.config.writesStock) requireStockTarget(held)
      rateLimit.take(held.tokens.erp?.sha256 ?? '', held.values.erp_rate_limit)
    })

    erp.get('/ping', async () => ({ status: 'ok' }))
    erp.post('/categories/batch-upsert', forward(ctx, upsertCategories))
    erp.post('/categories/delete', forward(ctx, deactivateCategories))
    erp.post('/products/batch-upsert', forward(ctx, upsertProducts))
    erp.post('/products/delete', forward(ctx, deactivateProducts))
    erp.post('/stocks/batch-update', { config: { writesStock: true } }, forward(ctx, updateStocks))
  }
}
