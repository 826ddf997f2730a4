import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOf } from '../admin/base-url.js'
import type { GatewayContext } from '../context.js'
import { parseAddressList } from '../http/address-list.js'
import { buildDocument } from './document.js'
import { operations } from './operations.js'
import { style } from './page/page-style.js'
import { renderPage } from './page/render-page.js'

/** Nothing but the page's own style sheet. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** `/docs`, the page, and `/docs/json`, the OpenAPI document. Open to everybody. */
export function docsRoutes(ctx: GatewayContext) {
  return async (docs: FastifyInstance): Promise<void> => {
    const trustedProxies = parseAddressList(ctx.config.TRUSTED_PROXIES)
    const written = buildDocument(operations, '')
    const documentFor = (request: FastifyRequest): typeof written => {
      const url = baseUrlOf(request.raw, ctx.config.PUBLIC_URL, trustedProxies) || '/'
      return { ...written, servers: [{ url, description: 'This gateway' }] }
    }
    const page = (request: FastifyRequest, reply: FastifyReply): string => {
      reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY })
      return renderPage(documentFor(request))
    }
    docs.get('/', page)
    docs.get('/json', (request) => documentFor(request))
  }
}
