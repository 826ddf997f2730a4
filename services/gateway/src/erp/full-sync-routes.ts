import {
  cancelFullSync,
  completeFullSync,
  fullSyncCompletion,
  getFullSync,
  listNotSent,
  notSentQuery,
  startFullSync,
} from '@partsbus/contracts/catalog/full-sync'
import { AppError, texts } from '@partsbus/contracts/errors'
import { MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { check, readQuery } from '../admin/resources/read-request.js'
import { readJsonBytes } from '../http/body/read-json-body.js'
import { withRequestScope } from '../http/request-calls.js'

/** Ids made by the catalog; anything else is no sync. */
const ID = /^[0-9a-f]{24}$/
/** Deactivating and looking for what was not sent take long; a deactivation goes on in the background. */
const COMPLETE_MS = 30_000

/** erp.md#full-sync */
export function fullSyncRoutes(ctx: GatewayContext) {
  return async (erp: FastifyInstance): Promise<void> => {
    const { admission } = ctx
    erp.post('/full-sync', (request) =>
      admission.erp.run(() => withRequestScope(ctx, request).calls.request(startFullSync, {})),
    )
    erp.get('/full-sync/:id', (request) =>
      admission.erp.run(() => withRequestScope(ctx, request).calls.request(getFullSync, { id: syncId(request) })),
    )
    erp.get('/full-sync/:id/not-sent', (request) =>
      admission.erp.run(() => {
        const query = check(notSentQuery, readQuery(request.query as Record<string, unknown>, notSentQuery))
        const { calls } = withRequestScope(ctx, request)
        return calls.request(listNotSent, { id: syncId(request), ...query }, { timeoutMs: COMPLETE_MS })
      }),
    )
    erp.post('/full-sync/:id/cancel', (request) =>
      admission.erp.run(() => withRequestScope(ctx, request).calls.request(cancelFullSync, { id: syncId(request) })),
    )
    erp.post('/full-sync/:id/complete', (request, reply) =>
      admission.erp.receive(
        (reserve) => readJsonBytes(request, reply, reserve, MAX_SMALL_BODY_BYTES),
        async (body) => {
          const data = check(fullSyncCompletion, parseJson(body))
          const { calls } = withRequestScope(ctx, request)
          return calls.request(completeFullSync, { id: syncId(request), ...data }, { timeoutMs: COMPLETE_MS })
        },
      ),
    )
  }
}

function syncId(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!ID.test(id)) throw new AppError('NOT_FOUND', texts.notFound)
  return id
}
