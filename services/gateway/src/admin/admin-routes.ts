import { AppError, texts } from '@partsbus/contracts/errors'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { parseAddressList } from '../http/address/address-list.js'
import { Admission } from '../http/limits/admission.js'
import { createErrorHandler } from '../http/error-handler.js'
import { bearerToken } from '../http/auth/bearer-token.js'
import { withRequestScope } from '../http/request-calls.js'
import { readJsonBytes } from '../http/body/read-json-body.js'
import { readOptionalJson } from '../http/body/read-optional-json.js'
import { requestSettings } from '../http/request-state.js'
import { trackRoutes } from '../http/route-registry.js'
import { digest, type ApiAudience, tokenMatches } from '../settings/access-token.js'
import { handleResource } from './resources/handle-resource.js'
import { AuditStore } from './audit/audit-store.js'
import { requestBaseUrl, withBaseUrl } from '../http/address/base-url.js'
import { issueApiToken, patchSettings, revokeApiToken, viewSettings } from './settings/change-settings.js'
import { downloadFile } from './import-tasks/download-file.js'
import { downloadSkipped } from './import-tasks/download-skipped.js'
import { followTask } from './import-tasks/follow-task.js'
import { startAuditRetention } from './audit/audit-retention.js'
import { listAudit } from './audit/list-audit.js'
import { resourceRoutes } from './resources/resource-routes.js'
import { priceListForms } from './price-lists/upload-price-list.js'

/** The largest body an administrator sends. */
const MAX_BODY_BYTES = 1024 * 1024
/** Counted apart from the other doors, so that a flood there does not lock the administrator out. */
const LIMITS = { requests: 200, bytes: 16 * MAX_BODY_BYTES }

const doors: readonly ApiAudience[] = ['erp', 'b2b']

/**
 * `/api/admin` (admin.md#conventions). The token is checked before anything else is decided, 404 and 405 included,
 * and before a byte of the body is read.
 * @param isDraining true when the process is about to stop, so that what listens for long is let go
 */
export function adminRoutes(gateway: GatewayContext, isDraining: () => boolean) {
  return async (admin: FastifyInstance): Promise<void> => {
    const ctx = { ...gateway, audit: new AuditStore(gateway.mongo.db) }
    const admission = new Admission(LIMITS)
    const tokenDigest = digest(gateway.config.ADMIN_TOKEN)
    const trustedProxies = parseAddressList(gateway.config.TRUSTED_PROXIES)
    const unknownPath = trackRoutes(admin)
    startAuditRetention(admin, ctx)
    admin.setErrorHandler(createErrorHandler('message', ctx.log))
    admin.addHook('onRequest', async (request) => {
      const token = bearerToken(request.raw.rawHeaders)
      if (token === undefined || !tokenMatches(token, tokenDigest))
        throw new AppError('UNAUTHENTICATED', texts.unauthenticated)
      if (request.is404) throw unknownPath(request)
      request.held = await ctx.settings.fresh()
    })
    admin.setNotFoundHandler((request) => {
      throw unknownPath(request)
    })

    /** Reads the body where one is wanted, does the work while there is room for it, answers JSON. */
    const answer =
      (
        status: number,
        wants: 'body' | 'maybe-body' | 'no-body',
        work: (request: FastifyRequest, body: unknown) => unknown,
      ) =>
      (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
        admission.run(async (hold) => {
          const read = wants === 'maybe-body' ? readOptionalJson : readJsonBytes
          const body = wants === 'no-body' ? undefined : parseJson(await read(request, reply, hold, MAX_BODY_BYTES))
          const result = await work(request, body)
          reply.code(status)
          return status === 204 ? reply.send() : result
        })

    admin.get(
      '/settings',
      answer(200, 'no-body', (request) => viewSettings(requestSettings(request))),
    )
    admin.patch(
      '/settings',
      answer(200, 'body', (request, body) => patchSettings(withRequestScope(ctx, request), body)),
    )
    for (const door of doors) {
      admin.post(
        `/settings/${door}-token`,
        answer(200, 'no-body', () => issueApiToken(ctx, door)),
      )
      admin.delete(
        `/settings/${door}-token`,
        answer(204, 'no-body', () => revokeApiToken(ctx, door)),
      )
    }
    admin.get(
      '/audit',
      answer(200, 'no-body', (request) => listAudit(ctx, request.query as Record<string, unknown>)),
    )

    for (const route of resourceRoutes) {
      admin.route({
        method: route.method,
        url: route.path,
        handler: answer(
          route.status,
          !route.body ? 'no-body' : route.isBodyOptional ? 'maybe-body' : 'body',
          async (request, body) => {
            const { params, query } = request as { params: Record<string, string>; query: Record<string, unknown> }
            const result = await handleResource(withRequestScope(ctx, request), route, {
              params,
              query,
              body,
              held: requestSettings(request),
            })
            return withBaseUrl(result, () => requestBaseUrl(request.raw, gateway.config.PUBLIC_URL, trustedProxies))
          },
        ),
      })
    }

    const forms = priceListForms(ctx)
    admin.post('/price-lists/:id/upload', forms.upload)
    admin.post('/price-lists/:id/preview', forms.preview)
    // a HEAD would start what nobody reads
    admin.get('/import-tasks/:id/events', { exposeHeadRoute: false }, followTask(gateway, isDraining))
    admin.get('/import-tasks/:id/skipped.csv', { exposeHeadRoute: false }, downloadSkipped(gateway))
    admin.get('/import-tasks/:id/file', { exposeHeadRoute: false }, downloadFile(gateway))
  }
}
