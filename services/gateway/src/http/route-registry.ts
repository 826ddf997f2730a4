import { AppError, texts } from '@partsbus/contracts/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Remembers the routes of a door as they are added and words what to answer where none fits:
 * 405 with `Allow` when the path knows other methods, else 404. Call it before the door's first route.
 */
export function trackRoutes(door: FastifyInstance): (request: FastifyRequest) => AppError {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  door.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
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
 * A URL whose path can be decoded. The router refuses an escape that says no character (`%zz`) before any door is asked;
 * read as text it names an unknown path, which a door answers after its checks (rules.md#order-of-work).
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

/** The path of a URL, without what stands behind it. */
export function urlPath(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

function patternOf(template: string): RegExp {
  const source = template.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${source.join('/')}$`)
}
