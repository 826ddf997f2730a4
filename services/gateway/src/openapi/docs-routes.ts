import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestBaseUrl } from '../http/address/base-url.js'
import type { GatewayContext } from '../context.js'
import { parseAddressList } from '../http/address/address-list.js'
import { buildDocument } from './document/document.js'
import { operations } from './operations/operations.js'
import { html } from './page/html.js'
import { style } from './page/page-style.js'
import { renderPage } from './page/render-page.js'

/** Nothing but the page's own style sheet. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Stands for the base URL in what is written once and served to all: anybody may ask, so asking must cost little. */
const BASE = 'https://base-url.invalid'

/** `/docs`, the page, and `/docs/json`, the OpenAPI document. Open to everybody. */
export function docsRoutes(ctx: GatewayContext) {
  return async (docs: FastifyInstance): Promise<void> => {
    const trustedProxies = parseAddressList(ctx.config.TRUSTED_PROXIES)
    const baseUrl = (request: FastifyRequest): string =>
      requestBaseUrl(request.raw, ctx.config.PUBLIC_URL, trustedProxies)
    const page = once(() => renderPage(buildDocument(operations, BASE)))
    const json = once(() => JSON.stringify(buildDocument(operations, BASE)))

    docs.get('/', (request: FastifyRequest, reply: FastifyReply): string => {
      reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY })
      return page().replaceAll(BASE, () => html`${baseUrl(request)}`.text)
    })
    docs.get('/json', (request: FastifyRequest, reply: FastifyReply): string => {
      reply.header('content-type', 'application/json; charset=utf-8')
      return json().replaceAll(BASE, () => JSON.stringify(baseUrl(request) || '/').slice(1, -1))
    })
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
