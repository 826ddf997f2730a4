import {
  deactivateCategories,
  deactivateProducts,
  upsertCategories,
  upsertProducts,
} from '@partsbus/contracts/catalog/commands'
import { updatePrices, updateStocks } from '@partsbus/contracts/stock/commands'
import type { FastifyInstance } from 'fastify'
import { addAuthHook } from '../auth/auth-hook.js'
import type { GatewayContext } from '../context.js'
import { createErrorHandler } from '../http/error-handler.js'
import { authenticateErp, requireStockTarget } from './authenticate-erp.js'
import { forward } from './forward.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route writes ERP stock or prices (erp.md#stocks-configured) */
    writesStock?: boolean
  }
}

/** `/api/erp` (erp.md). */
export function erpRoutes(ctx: GatewayContext) {
  return async (erp: FastifyInstance): Promise<void> => {
    erp.setErrorHandler(createErrorHandler('message', ctx.log))
    ctx.doors.countRequests(erp, 'erp')
    addAuthHook(erp, ctx.settings, (settings, request) => {
      authenticateErp(settings, request)
      if (request.routeOptions.config.writesStock) requireStockTarget(settings)
      ctx.rateLimits.erp.count(settings.tokens.erp?.sha256 ?? '', settings.values.erp_rate_limit)
    })

    // erp.md#ping
    erp.get('/ping', async () => ({ status: 'ok' }))
    erp.post('/categories/batch-upsert', forward(ctx, upsertCategories))
    erp.post('/categories/delete', forward(ctx, deactivateCategories))
    erp.post('/products/batch-upsert', forward(ctx, upsertProducts))
    erp.post('/products/delete', forward(ctx, deactivateProducts))
    erp.post('/stocks/batch-update', { config: { writesStock: true } }, forward(ctx, updateStocks))
    erp.post('/prices/batch-update', { config: { writesStock: true } }, forward(ctx, updatePrices))
  }
}
