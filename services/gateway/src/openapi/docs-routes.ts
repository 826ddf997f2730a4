import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.js'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import { publicPath, requestBaseUrl } from '../addresses/base-url.js'
import { buildDocument } from './document/document.js'
import { type Asset, ASSET_NAMES, loadAsset } from './docs-assets.js'
import { operations } from './operations/operations.js'

/** Scripts, styles and requests of this origin only; Swagger UI draws its icons from data URLs. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Stands for the base URL in the document, which is serialized once for all clients. */
const BASE = 'https://base-url.invalid'
const ASSET_CACHING = 'public, max-age=3600'

/** The page at `/docs` and the OpenAPI document at `/docs/json`; both are public (admin.md#docs). */
export function docsRoutes(config: Pick<GatewayConfig, 'TRUSTED_PROXIES' | 'PUBLIC_URL'>) {
  return async (docs: FastifyInstance): Promise<void> => {
    const trustedProxies = parseAddressList(config.TRUSTED_PROXIES)
    const baseUrl = (request: FastifyRequest): string => requestBaseUrl(request.raw, config.PUBLIC_URL, trustedProxies)
    const page = renderPage(publicPath(config.PUBLIC_URL))
    let document: { hash: string; pieces: Buffer[] } | undefined

    docs.get('/', (_request: FastifyRequest, reply: FastifyReply): string => {
      reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY })
      return page
    })
    docs.get('/json', (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      document ??= loadDocument()
      const base = JSON.stringify(baseUrl(request) || '/').slice(1, -1)
      const etag = `"${sha256(document.hash + base)}"`
      reply.headers({ etag, 'cache-control': 'no-cache' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      reply.header('content-type', 'application/json; charset=utf-8')
      return reply.send(joinPieces(document.pieces, Buffer.from(base)))
    })
    for (const name of ASSET_NAMES) {
      docs.get(`/${name}`, async (request: FastifyRequest, reply: FastifyReply) =>
        sendAsset(await loadAsset(name), request, reply),
      )
    }
  }
}

/** In pieces between which the base URL stands, so that no request searches or encodes the text again. */
function loadDocument(): { hash: string; pieces: Buffer[] } {
  const json = JSON.stringify(buildDocument(operations, BASE))
  return { hash: sha256(json), pieces: json.split(BASE).map((piece) => Buffer.from(piece)) }
}

function joinPieces(pieces: readonly Buffer[], separator: Buffer): Buffer {
  return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece])))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function sendAsset({ type, etag, bytes, gzipped }: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag, 'cache-control': ASSET_CACHING, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  reply.header('content-type', type)
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}

/** @param path of PUBLIC_URL; empty at the root of a host */
function renderPage(path: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Partsbus API</title>
    <link rel="icon" type="image/png" href="${path}/docs/favicon-32x32.png">
    <link rel="stylesheet" href="${path}/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>
      This page needs JavaScript. The OpenAPI document is at <a href="${path}/docs/json">/docs/json</a>.
    </noscript>
    <script src="${path}/docs/swagger-ui-bundle.js"></script>
    <script src="${path}/docs/start.js"></script>
  </body>
</html>
`
}
