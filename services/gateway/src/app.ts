import { AppError, texts } from '@partsbus/contracts/errors'
import Fastify, { type FastifyInstance } from 'fastify'
import { adminRoutes } from './admin/admin-routes.js'
import { b2bRoutes } from './b2b/b2b-routes.js'
import type { GatewayContext } from './context.js'
import { erpRoutes } from './erp/erp-routes.js'
import { addAccessLog } from './http/access-log.js'
import { parseAddressList } from './addresses/address-list.js'
import { createErrorHandler } from './http/error-handler.js'
import { deferContinue } from './http/body/expect-continue.js'
import { handleClientError } from './http/client-errors.js'
import { decorateRequestSettings } from './auth/request-settings.js'
import { addRequestScope, requestId, setDefaultHeaders } from './http/request-scope.js'
import { escapeInvalidUrl } from './http/route-registry.js'
import { mediaRoutes } from './media/media-routes.js'
import { docsRoutes } from './openapi/docs-routes.js'

/** Times in milliseconds against clients that send slowly or not at all. */
const timeouts = {
  headersTimeout: 8_000,
  /** how long a whole request may take to arrive; JSON bodies have less */
  requestTimeout: 120_000,
  /** how often Node looks for connections that are over either */
  connectionsCheckingInterval: 1_000,
  // a missing one is answered by our own error
  requireHostHeader: false,
}
/** Must outlive the longest call to a service. */
const SOCKET_IDLE_MS = 120_000
/** Long, so that a client that was busy for a while does not meet a connection that is just being closed. */
const KEEP_ALIVE_MS = 75_000
/** Names of pictures and identifiers of the ERP in paths. */
const MAX_PARAM_LENGTH = 2_048

/** All of the gateway's HTTP, in the order a request passes it. Nothing listens yet. */
export async function createApp(ctx: GatewayContext, isDraining: () => boolean): Promise<FastifyInstance> {
  const refuse = createErrorHandler('message', ctx.log)
  const app = Fastify({
    logger: false,
    http: timeouts,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: SOCKET_IDLE_MS,
    // requests that arrive while the last ones are answered are answered too
    return503OnClosing: false,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => escapeInvalidUrl(url),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      setDefaultHeaders(request, reply)
      createErrorHandler(request.url.startsWith('/api/b2b/') ? 'result' : 'message', ctx.log)(error, request, reply)
    },
    clientErrorHandler: handleClientError,
  })
  deferContinue(app.server, app.routing)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  decorateRequestSettings(app)
  addRequestScope(app, parseAddressList(ctx.config.TRUSTED_PROXIES))
  addAccessLog(app, ctx)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.setErrorHandler(refuse)
  app.setNotFoundHandler((request, reply) => refuse(new AppError('NOT_FOUND', texts.notFound), request, reply))

  await app.register(erpRoutes(ctx), { prefix: '/api/erp' })
  await app.register(b2bRoutes(ctx), { prefix: '/api/b2b' })
  await app.register(adminRoutes(ctx, isDraining), { prefix: '/api/admin' })
  await app.register(mediaRoutes(ctx), { prefix: '/media' })
  await app.register(docsRoutes(ctx.config), { prefix: '/docs' })
  return app
}
