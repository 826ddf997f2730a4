import { AppError, texts } from '@partsbus/contracts/app-error'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Records the routes of an API as they are added. Call it before the first one.
 * @returns a function that gives the error for a request without a route: 405 with `Allow` when the path has other
 *   methods, else 404
 */
export function trackRoutes(api: FastifyInstance): (request: FastifyRequest) => AppError {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  api.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  return (request) => {
    const path = urlPath(request.url)
    const methods = [...paths.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((known) => [...known.methods])
    if (methods.length === 0) return new AppError('NOT_FOUND', texts.notFound)
    return new AppError('METHOD_NOT_ALLOWED', 'Method not allowed.', {
      details: { allow: [...new Set(methods)].sort() },
    })
  }
}

/**
 * Escapes the percent signs of a path that cannot be decoded, like `%zz`. The router would refuse it before any hook
 * runs; escaped it is an unknown path, which is answered after authentication (rules.md#order-of-work).
 */
export function escapeInvalidUrl(url: string): string {
  if (!url.includes('%')) return url
  const path = urlPath(url)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** The path of a URL, without query and fragment. */
export function urlPath(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

function toPattern(template: string): RegExp {
  const source = template.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${source.join('/')}$`)
}
