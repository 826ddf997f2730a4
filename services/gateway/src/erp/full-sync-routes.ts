import {
  cancelFullSync,
  completeFullSync,
  fullSyncCompletion,
  getFullSync,
  startFullSync,
} from '@partsbus/contracts/catalog/full-sync'
import { AppError, texts } from '@partsbus/contracts/errors'
import { MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import { contractViolation, describeIssues } from '@partsbus/contracts/violation'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { readJsonBytes } from '../http/body/read-json-body.js'
import { withRequestScope } from '../http/request-calls.js'

/** Ids made by the catalog; anything else is no sync. */
const ID = /^[0-9a-f]{24}$/
/** Deactivating takes long; what is left when the time is over goes on in the background. */
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
    erp.post('/full-sync/:id/cancel', (request) =>
      admission.erp.run(() => withRequestScope(ctx, request).calls.request(cancelFullSync, { id: syncId(request) })),
    )
    erp.post('/full-sync/:id/complete', (request, reply) =>
      admission.erp.receive(
        (reserve) => readJsonBytes(request, reply, reserve, MAX_SMALL_BODY_BYTES),
        async (body) => {
          const input = parseJson(body)
          const { data, error } = fullSyncCompletion.safeParse(input)
          if (!data) throw contractViolation(describeIssues(error.issues, input, ''))
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
