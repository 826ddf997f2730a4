import { AppError, texts } from '@partsbus/contracts/app-error'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limitAddresses } from '../addresses/allowed-addresses.js'
import { urlPath } from '../http/route-registry.js'
import { sendStatic } from '../http/static-file.js'
import type { PageFiles } from './page-files.js'
import { pageHeaders } from './page-headers.js'

const FOREVER = 'public, max-age=31536000, immutable'
/** The browser revalidates each time, and is answered 304 as long as nothing has changed. */
const REVALIDATE = 'no-cache'
const NOT_BUILT = 'The admin pages are not built. `npm start` builds them, and so does `node scripts/prepare.mjs`.\n'

interface PagesOptions {
  pages: PageFiles | undefined
  publicUrl: string | undefined
  /** addresses and CIDRs of clients; none: all */
  allowedAddresses: readonly string[]
}

/** `/admin`: the built pages (admin.md#pages-files), or how to build them. */
export function adminPagesRoutes({ pages, publicUrl, allowedAddresses }: PagesOptions) {
  const headers = pageHeaders(publicUrl)
  return async (routes: FastifyInstance): Promise<void> => {
    limitAddresses(routes, allowedAddresses)
    const show = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      reply.headers(headers)
      if (pages === undefined)
        return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT)
      const name = urlPath(request.url).replace(/^\/admin\/?/, '')
      const file = pages.files.get(name)
      if (file) return sendStatic(file, cachingOf(name, request, pages.version), request, reply)
      // every page is a path without a dot, and `index.html` finds out which one it is
      if (name.includes('.')) throw new AppError('NOT_FOUND', texts.notFound)
      return sendStatic(pages.index, REVALIDATE, request, reply)
    }
    routes.get('/', show)
    routes.get('/*', show)
  }
}

/**
 * The content of a name with a hash never changes. The start script has the same name in every version: a request for
 * another version is answered with this version's script, which loads its own pages and must not be cached
 * (admin.md#pages-version).
 */
function cachingOf(name: string, request: FastifyRequest, version: string): string {
  if (name.startsWith('assets/')) return FOREVER
  const { v } = request.query as { v?: string }
  if (v === undefined) return REVALIDATE
  return v === version ? FOREVER : 'no-store'
}
