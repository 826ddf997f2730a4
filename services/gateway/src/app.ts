import { AppError, texts } from '@partsbus/contracts/app-error'
import { publicPath } from './addresses/base-url.js'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import Fastify, { type FastifyInstance } from 'fastify'
import { decorateRequestAdministrator } from './admin/administrators/request-administrator.js'
import { adminRoutes } from './admin/admin-routes.js'
import { adminPagesRoutes } from './admin-pages/admin-pages-routes.js'
import { b2bRoutes } from './b2b/b2b-routes.js'
import type { GatewayContext } from './context.js'
import { erpRoutes } from './erp/erp-routes.js'
import { addAccessLog } from './http/access-log.js'
import { createErrorHandler } from './http/error-handler.js'
import { deferContinue } from '@partsbus/http-guard/expect-continue'
import { createClientErrorHandler } from './http/client-errors.js'
import { closeSlowReaders } from '@partsbus/http-guard/slow-readers'
import { limitPipelining } from '@partsbus/http-guard/pipelining'
import { boundAnswers } from './http/limits/answer-memory.js'
import { decorateRequestSettings } from './auth/request-settings.js'
import { addRequestScope, requestId, setDefaultHeaders } from './http/request-scope.js'
import { escapeInvalidUrl } from './http/route-registry.js'
import { mediaRoutes } from './media/serve-media.js'
import { docsRoutes } from './docs/docs-routes.js'

const timeouts = {
  /** ms */
  headersTimeout: 8_000,
  // none for a whole request: JSON bodies have 30 s, and uploads a minimum rate
  requestTimeout: 0,
  /** interval in which Node checks for connections with late headers, in ms */
  connectionsCheckingInterval: 1_000,
  // the error handler answers a request without one
  requireHostHeader: false,
}
/** In ms; longer than the longest call to a service. */
const SOCKET_IDLE_MS = 120_000
/** In ms; long, so that a client rarely sends a request while its connection is being closed. */
const KEEP_ALIVE_MS = 75_000
/** For file names of images and ids of the ERP in paths. */
const MAX_PARAM_LENGTH = 2_048

/** The gateway's HTTP server, with its hooks and routes in the order in which a request passes them. */
export async function createApp(ctx: GatewayContext, isDraining: () => boolean): Promise<FastifyInstance> {
  const handleError = createErrorHandler('message', ctx.log)
  const app = Fastify({
    logger: false,
    http: timeouts,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: SOCKET_IDLE_MS,
    // while the server closes, requests on open connections are still handled
    return503OnClosing: false,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => escapeInvalidUrl(url),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      setDefaultHeaders(request, reply)
      createErrorHandler(request.url.startsWith('/api/b2b/') ? 'result' : 'message', ctx.log)(error, request, reply)
    },
    clientErrorHandler: createClientErrorHandler(ctx.log),
  })
  deferContinue(app.server, limitPipelining(app.server, app.routing))
  closeSlowReaders(app.server)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  decorateRequestSettings(app)
  decorateRequestAdministrator(app)
  addRequestScope(app, parseAddressList(ctx.config.TRUSTED_PROXIES))
  addAccessLog(app, ctx)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close')
    done(null, payload)
  })
  boundAnswers(app)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => handleError(new AppError('NOT_FOUND', texts.notFound), request, reply))

  await app.register(erpRoutes(ctx), { prefix: '/api/erp' })
  await app.register(b2bRoutes(ctx), { prefix: '/api/b2b' })
  await app.register(adminRoutes(ctx, isDraining), { prefix: '/api/admin' })
  await app.register(mediaRoutes(ctx), { prefix: '/media' })
  await app.register(docsRoutes(ctx.config, ctx.documents), { prefix: '/docs' })
  const { PUBLIC_URL: publicUrl, ADMIN_ALLOWED_IPS: allowedAddresses } = ctx.config
  await app.register(adminPagesRoutes({ pages: ctx.pages, publicUrl, allowedAddresses }), { prefix: '/admin' })
  app.get('/', (_request, reply) => reply.redirect(`${publicPath(ctx.config.PUBLIC_URL)}/admin`))
  return app
}
