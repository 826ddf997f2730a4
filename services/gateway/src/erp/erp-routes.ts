import type { ErpBatch } from '@partsbus/contracts/gateway/erp-batch'
import { erpCommands } from '@partsbus/contracts/gateway/erp-commands'
import { updatePrices, updateStocks } from '@partsbus/contracts/stock/commands'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addAuthHook } from '../auth/auth-hook.js'
import type { GatewayContext } from '../context.js'
import { createErrorHandler } from '../http/error-handler.js'
import { onRequestEnd } from '../http/request-end.js'
import { authenticateErp, requireStockTarget } from './authenticate-erp.js'
import { forward } from './forward.js'
import { fullSyncRoutes } from './full-sync-routes.js'
import { showCategoryStatus } from './show-category-status.js'
import { showProductStatus } from './show-product-status.js'

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
    ctx.apis.countRequests(erp, 'erp')
    addAuthHook(erp, ctx.settings, 'erp', (settings, request) => {
      authenticateErp(settings, request)
      if (request.routeOptions.config.writesStock) requireStockTarget(settings)
      ctx.rateLimits.erp.count(settings.tokens.erp?.sha256 ?? '', settings.values.erp_rate_limit)
    })

    // erp.md#ping
    erp.get('/ping', async () => ({ status: 'ok' }))
    erp.post('/products/status', showProductStatus(ctx))
    erp.post('/categories/status', showCategoryStatus(ctx))
    erp.get('/batches', () => listBatches(ctx))
    await erp.register(fullSyncRoutes(ctx))
    await erp.register(batchRoutes(ctx))
  }
}

/** erp.md#batch-list */
async function listBatches({ batches }: GatewayContext): Promise<{ batches: ErpBatch[] }> {
  try {
    return { batches: await batches.list() }
  } catch (error) {
    throw toAppError(error)
  }
}

/** The calls that {@link listBatches} shows. */
function batchRoutes(ctx: GatewayContext) {
  return async (erp: FastifyInstance): Promise<void> => {
    erp.decorateRequest('batchCounts')
    // a caller that timed out looks here for what became of its batch
    onRequestEnd(erp, (request, reply) => {
      // settings are set once a request is authenticated
      if (request.settings !== undefined) ctx.batches.add(toBatch(request, reply))
    })
    for (const [call, command] of Object.entries(erpCommands)) {
      const writesStock = command === updateStocks || command === updatePrices
      erp.post(call.replace('POST ', ''), { config: { writesStock } }, forward(ctx, command))
    }
  }
}

function toBatch(request: FastifyRequest, reply: FastifyReply): Omit<ErpBatch, 'at'> {
  return {
    request_id: request.id,
    call: request.routeOptions.url?.replace('/api/erp/', '') ?? '',
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
    counts: request.batchCounts ?? null,
  }
}
