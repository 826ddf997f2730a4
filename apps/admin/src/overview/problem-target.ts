import type { Texts } from '../texts/en.js'
import type { Problem } from './overview-answer.js'

/** Where a problem is mended. */
export interface Target {
  path: string
  params?: Record<string, string | number>
  search?: Record<string, unknown>
}

const id = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? value : '')

/** Undefined for what no page mends, and for codes that this version does not know. */
export function problemTarget({ code, params }: Problem): Target | undefined {
  switch (code) {
    case 'imports-waiting':
      return { path: '/imports', search: { status: ['pending'] } }
    case 'import-failed':
      return { path: '/imports/$id', params: { id: id(params.task_id) } }
    case 'source-failing':
      return { path: '/price-lists/$id/sources', params: { id: id(params.price_list_id) } }
    case 'not-in-search':
      return { path: '/price-lists' }
    case 'supplier-cut-off':
      return { path: '/storages/$id', params: { id: id(params.storage_id) } }
    case 'pictures-failing':
      return { path: '/pictures', search: { status: 'failed' } }
    case 'erp-silent':
    case 'erp-not-ready':
      return { path: '/settings/erp' }
    case 'b2b-not-ready':
      return { path: '/settings/b2b' }
    default:
      return undefined
  }
}

/** A problem in words; the code itself where these pages are older than the gateway. */
export function wordProblem({ code, params, count }: Problem, t: Texts['overview']['problem']): string {
  const missing = (Array.isArray(params.missing) ? params.missing : [])
    .map((what) => t.missing[what as keyof typeof t.missing] ?? String(what))
    .join(', ')
  const list = String(params.price_list_name ?? '')
  const name = String(params.name ?? '')
  switch (code) {
    case 'service-away':
    case 'supplier-cut-off':
      return t[code](name)
    case 'import-failed':
      return t[code](list)
    case 'source-failing':
      return t[code](list, t.kinds[params.kind as keyof typeof t.kinds] ?? String(params.kind))
    case 'not-in-search':
      return t[code](count, shortList(listsOf(params).map(({ name }) => name)))
    case 'pictures-failing':
      return t[code](count)
    case 'erp-not-ready':
    case 'b2b-not-ready':
      return t[code](missing)
    case 'imports-waiting':
    case 'erp-silent':
    case 'secrets-unreadable':
    case 'disk-full':
      return t[code]
    default:
      return code
  }
}

/** The price lists that a problem names. */
export function listsOf({ price_lists }: Problem['params']): { name: string; storage_id: number }[] {
  return Array.isArray(price_lists) ? (price_lists as { name: string; storage_id: number }[]) : []
}

const SHOWN_NAMES = 3

const shortList = (names: string[]): string =>
  `${names.slice(0, SHOWN_NAMES).join(', ')}${names.length > SHOWN_NAMES ? ' …' : ''}`
