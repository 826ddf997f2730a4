import { listErpBatches } from '@partsbus/contracts/administration/commands'
import type { ErpBatch } from '@partsbus/contracts/administration/erp-batch'
import { type ErpPath, type ErpRows, erpRows } from '@partsbus/contracts/http/erp'
import type { ErpRow } from '@partsbus/contracts/http/row'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { addAuthHook } from '../auth/auth-hook.js'
import type { GatewayContext } from '../context.js'
import { createErrorHandler } from '../http/error-handler.js'
import { withRequestScope } from '../http/request-calls.js'
import { onRequestEnd } from '../http/request-end.js'
import { answerByCommand } from './answer-by-command.js'
import { authenticateErp, requireStockTarget } from './authenticate-erp.js'
import { forward } from './forward.js'
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

    const handlers = erpHandlers(ctx)
    for (const [path, row] of rows) {
      if (row.isBatch) continue
      const handler =
        row.command?.kind === 'command'
          ? answerByCommand(ctx, { ...row, command: row.command })
          : handlers[path as OwnPath]
      addRoute(erp, path, handler)
    }
    await erp.register(batchRoutes(ctx))
  }
}

const rows = Object.entries(erpRows) as Array<[ErpPath, ErpRow]>

/** @param config of the route */
function addRoute(erp: FastifyInstance, path: ErpPath, handler: RouteHandlerMethod, config = {}): void {
  const [method = '', url = ''] = path.split(' ')
  erp.route({ method, url, config, handler })
}

type OwnPath = { [Path in ErpPath]: ErpRows[Path] extends { command: object } ? never : Path }[ErpPath]

/** The calls that no command answers alone. */
function erpHandlers(ctx: GatewayContext): Record<OwnPath, RouteHandlerMethod> {
  return {
    // erp.md#ping
    'GET /ping': async () => ({ status: 'ok' }),
    'POST /products/status': showProductStatus(ctx),
    'POST /categories/status': showCategoryStatus(ctx),
    'GET /batches': (request) => listBatches(ctx, request),
  }
}

/** erp.md#batch-list */
async function listBatches(ctx: GatewayContext, request: FastifyRequest): Promise<{ batches: ErpBatch[] }> {
  await ctx.batches.flush()
  return withRequestScope(ctx, request).calls.request(listErpBatches, {})
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
    for (const [path, { isBatch, command, writesStock = false }] of rows)
      if (isBatch && command) addRoute(erp, path, forward(ctx, command), { writesStock })
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
