import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.js'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import { publicPath, requestBaseUrl } from '../addresses/base-url.js'
import { ASSET_NAMES, loadAsset } from './docs-assets.js'
import { sendStatic } from '../http/static-file.js'
import { readDocument, type StoredDocument } from '@partsbus/openapi/documents'

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

/** File name → document. The one of all APIs is also under the name that it had first. */
const DOCUMENTS = { json: 'all', 'erp.json': 'erp', 'partners.json': 'partners', 'admin.json': 'admin' }
const NOT_BUILT = 'The documents are not built. `npm start` builds them, and so does `node scripts/prepare.mjs`.\n'

const ASSET_CACHING = 'public, max-age=3600'

/**
 * The page at `/docs` and the OpenAPI documents (admin.md#docs), which are public.
 * @param folder of the documents
 */
export function docsRoutes(config: Pick<GatewayConfig, 'TRUSTED_PROXIES' | 'PUBLIC_URL'>, folder: string) {
  return async (docs: FastifyInstance): Promise<void> => {
    const trustedProxies = parseAddressList(config.TRUSTED_PROXIES)
    const baseUrl = (request: FastifyRequest): string => requestBaseUrl(request.raw, config.PUBLIC_URL, trustedProxies)
    const page = renderPage(publicPath(config.PUBLIC_URL))

    docs.get('/', (_request: FastifyRequest, reply: FastifyReply): string => {
      reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY })
      return page
    })
    for (const [name, audience] of Object.entries(DOCUMENTS)) {
      let document: StoredDocument | undefined
      const joined = joinOnce()
      docs.get(`/${name}`, (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
        document ??= readDocument(folder, audience)
        if (!document) return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT)
        return sendDocument(document, joined, baseUrl(request), request, reply)
      })
    }
    for (const name of ASSET_NAMES) {
      docs.get(`/${name}`, async (request: FastifyRequest, reply: FastifyReply) =>
        sendStatic(await loadAsset(name), ASSET_CACHING, request, reply),
      )
    }
  }
}

function sendDocument(
  { hash: ownHash, pieces }: StoredDocument,
  joined: ReturnType<typeof joinOnce>,
  baseUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const base = JSON.stringify(baseUrl || '/').slice(1, -1)
  const etag = `"${hash('sha256', ownHash + base, 'base64url')}"`
  reply.headers({ etag, 'cache-control': 'no-cache' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(joined(pieces, base))
}

/** All clients that name the gateway alike are sent the same bytes, which take memory once. */
function joinOnce(): (pieces: readonly Buffer[], base: string) => Buffer {
  let last: { base: string; bytes: Buffer } | undefined
  return (pieces, base) => {
    if (last?.base !== base) last = { base, bytes: joinPieces(pieces, Buffer.from(base)) }
    return last.bytes
  }
}

function joinPieces(pieces: readonly Buffer[], separator: Buffer): Buffer {
  return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece])))
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
