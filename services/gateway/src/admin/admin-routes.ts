import { MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import { requestBaseUrl, withBaseUrl } from '../addresses/base-url.js'
import { requestSettings } from '../auth/request-settings.js'
import type { GatewayContext } from '../context.js'
import { readJsonBytes, readOptionalJson } from '../http/body/read-json-body.js'
import { createErrorHandler } from '../http/error-handler.js'
import { trackRoutes } from '../http/route-registry.js'
import type { ApiAudience } from '../settings/access-token.js'
import { adminContext } from './admin-context.js'
import { listAudit } from './audit/list-audit.js'
import { createAdminAuthentication } from './authenticate-admin.js'
import { downloadFile } from './import-tasks/download-file.js'
import { downloadSkipped } from './import-tasks/download-skipped.js'
import { followTask } from './import-tasks/follow-task.js'
import { priceListForms } from './price-lists/upload-price-list.js'
import { handleResource } from './resources/handle-resource.js'
import { resourceRoutes } from './resources/resource-routes.js'
import { issueApiToken, patchSettings, revokeApiToken, viewSettings } from './settings/change-settings.js'

const audiences: readonly ApiAudience[] = ['erp', 'b2b']

/**
 * `/api/admin` (admin.md).
 * @param isDraining true when the process is about to stop; event streams end then
 */
export function adminRoutes(ctx: GatewayContext, isDraining: () => boolean) {
  return async (admin: FastifyInstance): Promise<void> => {
    const trustedProxies = parseAddressList(ctx.config.TRUSTED_PROXIES)
    const authenticate = createAdminAuthentication(ctx.config)
    admin.setErrorHandler(createErrorHandler('message', ctx.log))
    const unknownRoute = trackRoutes(admin)
    admin.addHook('onRequest', async (request) => {
      request.administrator = authenticate(request)
      if (request.is404) throw unknownRoute(request)
      request.settings = await ctx.settings.fresh()
    })
    admin.setNotFoundHandler((request) => {
      throw unknownRoute(request)
    })

    type Work = (request: FastifyRequest, body: unknown) => unknown
    /** Admits the request, reads its body, and sends the result of the work as JSON. */
    const handler =
      (status: number, bodyKind: 'required' | 'optional' | 'none', work: Work) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
        const run = async (body: unknown): Promise<unknown> => work(request, body)
        const read = bodyKind === 'optional' ? readOptionalJson : readJsonBytes
        const result =
          bodyKind === 'none'
            ? await ctx.admission.admin.run(run)
            : await ctx.admission.admin.receive(
                (reserve) => read(request, reply, reserve, MAX_SMALL_BODY_BYTES),
                async (bytes) => run(parseJson(bytes)),
              )
        reply.code(status)
        return status === 204 ? reply.send() : result
      }

    admin.get(
      '/settings',
      handler(200, 'none', (request) => viewSettings(requestSettings(request))),
    )
    admin.patch(
      '/settings',
      handler(200, 'required', (request, body) => patchSettings(adminContext(ctx, request), body)),
    )
    for (const audience of audiences) {
      admin.post(
        `/settings/${audience}-token`,
        handler(200, 'none', (request) => issueApiToken(adminContext(ctx, request), audience)),
      )
      admin.delete(
        `/settings/${audience}-token`,
        handler(204, 'none', (request) => revokeApiToken(adminContext(ctx, request), audience)),
      )
    }
    admin.get(
      '/audit',
      handler(200, 'none', (request) => listAudit(ctx, request.query as Record<string, unknown>)),
    )

    for (const route of resourceRoutes) {
      admin.route({
        method: route.method,
        url: route.path,
        handler: handler(
          route.status,
          !route.body ? 'none' : route.isBodyOptional ? 'optional' : 'required',
          async (request, body) => {
            const { params, query } = request as { params: Record<string, string>; query: Record<string, unknown> }
            const settings = requestSettings(request)
            const result = await handleResource(adminContext(ctx, request), route, {
              params,
              query,
              body,
              settings,
            })
            return withBaseUrl(result, () => requestBaseUrl(request.raw, ctx.config.PUBLIC_URL, trustedProxies))
          },
        ),
      })
    }

    const forms = priceListForms(ctx)
    admin.post('/price-lists/:id/upload', forms.upload)
    admin.post('/price-lists/:id/preview', forms.preview)
    // Fastify's HEAD routes would start a stream that nobody reads
    admin.get('/import-tasks/:id/events', { exposeHeadRoute: false }, followTask(ctx, isDraining))
    admin.get('/import-tasks/:id/skipped.csv', { exposeHeadRoute: false }, downloadSkipped(ctx))
    admin.get('/import-tasks/:id/file', { exposeHeadRoute: false }, downloadFile(ctx))
  }
}
