import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AppError, type ErrorCode, httpStatus, texts } from '@partsbus/contracts/app-error'
import { defaultSettings } from '@partsbus/contracts/administration/settings'
import { openStubApp } from '../testing/stub-app.js'
import { category, importTask, product } from '../testing/resources.js'

const admin = { authorization: 'Bearer admin-token-of-the-specs' }
const json = { ...admin, 'content-type': 'application/json' }
type Stub = Awaited<ReturnType<typeof openStubApp>>

let stub: Stub
let answer: (subject: string) => unknown
beforeAll(async () => {
  stub = await openStubApp({
    answer: ({ subject }) => {
      const reply = answer(subject)
      return reply instanceof AppError ? reply : JSON.stringify(reply)
    },
  })
})
afterAll(() => stub.close())

/** Asks once and gives back the answer and what the services were asked for it. */
async function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string; from?: string } = {},
) {
  const before = stub.asked.length
  const response = await stub.ask({ url: `/api/admin${url}`, headers: admin, ...options })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? undefined : response.json(),
    asked: stub.asked.slice(before),
  }
}

describe('only the admin token opens the admin API; 401 comes before everything else', () => {
  const credentials: Array<[string, Record<string, string | string[]>]> = [
    ['none', {}],
    ['another', { authorization: 'Bearer wrong' }],
    ['its beginning', { authorization: 'Bearer admin-token-of-the-spec' }],
    ['more than it', { authorization: 'Bearer admin-token-of-the-specsx' }],
    ['another scheme', { authorization: 'Basic admin-token-of-the-specs' }],
    ['two words', { authorization: 'Bearer admin-token-of-the-specs x' }],
    ['two headers', { authorization: ['Bearer admin-token-of-the-specs', 'Bearer admin-token-of-the-specs'] }],
    ['a cookie', { cookie: 'token=admin-token-of-the-specs' }],
  ]
  const places: Array<[string, string]> = [
    ['GET', '/settings'],
    ['PATCH', '/settings'],
    ['GET', '/nowhere'],
    ['PUT', '/storages'],
    ['GET', ''],
    ['POST', '/storages'],
  ]
  // wrong tokens are limited by address
  const from = (at: number): string => `127.0.1.${at + 1}`
  it.each(
    credentials.flatMap(([what, headers], at) => places.map(([method, url]) => ({ what, headers, method, url, at }))),
  )('$what: $method $url', async ({ headers, method, url, at }) => {
    const response = await ask(url, {
      method,
      headers: { ...headers, 'content-type': 'application/json' } as Record<string, string>,
      body: '{',
      from: from(at),
    })
    expect(response).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' }, asked: [] })
  })
  it.each(['bearer admin-token-of-the-specs', 'BEARER  admin-token-of-the-specs'])(
    'the word Bearer may be written as %s',
    async (authorization) => {
      expect(await ask('/settings', { headers: { authorization } })).toMatchObject({ status: 200 })
    },
  )
  it('the ERP token and the B2B token are rejected', async () => {
    for (const audience of ['erp', 'b2b'] as const) {
      const token = await stub.administration.issueToken(audience)
      expect(await ask('/settings', { headers: { authorization: `Bearer ${token}` } })).toMatchObject({
        status: 401,
      })
    }
  })
})

describe('errors', () => {
  it.each(['/nowhere', '/storages/1/2', '/storages/', '/Storages', '/settings/other-token', '/categories/by-erp-id'])(
    '404: %s',
    async (url) => {
      expect(await ask(url)).toMatchObject({ status: 404, body: { message: 'Not found.' }, asked: [] })
    },
  )
  it.each([
    ['PUT', '/storages', 'GET, HEAD, POST'],
    ['POST', '/storages/1', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/settings', 'GET, HEAD, PATCH'],
    ['GET', '/settings/erp-token', 'DELETE, POST'],
    ['POST', '/categories', 'GET, HEAD'],
  ])('405: %s %s', async (method, url, allow) => {
    const response = await ask(url, { method })
    expect(response).toMatchObject({ status: 405, body: { message: 'Method not allowed.' } })
    expect(response.headers.allow).toBe(allow)
  })
  it.each([
    ['no JSON', '{', json, 400],
    ['nothing', '', json, 400],
    ['another type', '{}', { ...admin, 'content-type': 'text/plain' }, 415],
    ['no type', '{}', admin, 415],
    ['a compressed body', '{}', { ...json, 'content-encoding': 'gzip' }, 415],
    ['more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, json, 413],
    ['no object', '[]', json, 422],
  ] as const)('a body that is %s', async (_, body, headers, status) => {
    for (const [method, url] of [
      ['PATCH', '/settings'],
      ['POST', '/storages'],
      ['PATCH', '/supplies/1'],
    ] as const) {
      const response = await ask(url, { method, headers, body })
      expect([url, response.status, response.asked]).toEqual([url, status, []])
      expect(response.body).toHaveProperty('message')
    }
  })
  const codes: ErrorCode[] = ['NOT_FOUND', 'UNAVAILABLE', 'OVERLOADED', 'TIMEOUT', 'INTERNAL']
  it.each(codes)('a service that says %s', async (code) => {
    answer = () => new AppError(code, 'E11000 inner words', { cause: new Error('driver') })
    const response = await ask('/products/7')
    expect(response.status).toBe(httpStatus[code])
    if (code !== 'NOT_FOUND') expect(JSON.stringify(response.body)).not.toContain('E11000')
    expect(response.headers['retry-after'] !== undefined).toBe(httpStatus[code] === 503)
  })
})

// admin.md#unknown-query
it.each([
  ['GET', '/storages?sort=name', 'sort', 'This call takes page, per_page, q.'],
  ['GET', '/settings?page=1', 'page', 'This call takes none.'],
  ['PATCH', '/settings?dry_run=', 'dry_run', 'This call takes none.'],
  ['GET', '/import-tasks/7/events?after=1', 'after', 'This call takes none.'],
  ['GET', '/price-lists/7/offers.csv?artcle=1', 'artcle', 'This call takes article, brand, price_from, price_to.'],
  ['POST', '/price-lists/7/upload?mode=merge', 'mode', 'This call takes none.'],
])('%s %s is 422 without a call', async (method, url, name, taken) => {
  expect(await ask(url, { method, ...(method !== 'GET' && { headers: json, body: '{}' }) })).toMatchObject({
    status: 422,
    body: {
      errors: { [name]: [`The ${name} parameter is unknown. ${taken}`] },
      violations: [{ path: name, rule: 'unknown' }],
    },
    asked: [],
  })
})

// admin.md#locale
describe('the language of reasons and messages', () => {
  it.each([
    ['partsbus-language=ru', 'en', 'ru'],
    ['partsbus=x; partsbus-language=en', 'ru', 'en'],
    ['partsbus-language=de', 'ru', 'ru'],
    [undefined, 'ru', 'ru'],
    [undefined, 'en', 'en'],
  ] as const)('cookie %s, setting %s: %s', async (cookie, admin_locale, language) => {
    await stub.administration.patch({ admin_locale })
    answer = () => importTask
    const headers = cookie === undefined ? admin : { ...admin, cookie }
    const { asked } = await ask('/import-tasks/41', { headers })
    expect(asked[0]?.settings).toMatchObject({ admin_locale: language })
    const { body } = await ask('/session', { headers })
    expect(body).toMatchObject({ administrator: { locale: language } })
    await stub.administration.patch({ admin_locale: 'en' })
  })
})

describe('route → command', () => {
  const page = { page: 1, per_page: 50 }
  const cases: Array<[string, string, object]> = [
    ['/pick-up-points', 'stock.pick-up-points.list', page],
    ['/pick-up-points/4', 'stock.pick-up-points.get', { id: 4 }],
    ['/storages?page=2&per_page=3', 'stock.storages.list', { page: 2, per_page: 3 }],
    ['/storages/5', 'stock.storages.get', { id: 5 }],
    ['/categories', 'catalog.categories.list', page],
    ['/categories/6', 'catalog.categories.get', { id: 6 }],
    [
      '/products?q=%D1%84%D0%B8%D0%BB%D1%8C%D1%82%D1%80&category_id=6&trashed=true',
      'catalog.products.list',
      { ...page, q: 'фильтр', category_id: 6, trashed: true },
    ],
    ['/products/7', 'catalog.products.get', { id: 7 }],
    [
      '/supplies?product_erp_id=P%2F1&storage_id=1&pick_up_point_id=2',
      'stock.supplies.list',
      { ...page, product_erp_id: 'P/1', storage_id: 1, pick_up_point_id: 2 },
    ],
    ['/brand-synonyms', 'supplier-search.brand-synonyms.list', page],
    ['/brand-synonyms/3', 'supplier-search.brand-synonyms.get', { id: 3 }],
    ['/price-lists', 'pricing-import.price-lists.list', page],
    ['/price-lists/7', 'pricing-import.price-lists.get', { id: 7 }],
    ['/price-lists/7/versions', 'pricing-import.versions.list', { id: 7 }],
    [
      '/import-tasks?price_list_id=7&status=failed',
      'pricing-import.tasks.list',
      { ...page, price_list_id: 7, statuses: ['failed'] },
    ],
    ['/import-tasks/41', 'pricing-import.tasks.get', { id: 41 }],
    ['/import-tasks/41/skipped?page=3', 'pricing-import.tasks.skipped', { id: 41, page: 3, per_page: 50 }],
    ['/media-jobs?status=failed', 'catalog.media-jobs.list', { ...page, status: 'failed' }],
    ['/categories/by-erp-id/C-10', 'catalog.categories.get', { erp_id: 'C-10' }],
    ['/products/by-erp-id/P%2F0001', 'catalog.products.get', { erp_id: 'P/0001' }],
    ['/products/by-erp-id/P/0001', 'catalog.products.get', { erp_id: 'P/0001' }],
    [
      '/products/by-erp-id/%D0%A2%D0%BE%D0%B2%D0%B0%D1%80%207%20%25%3F',
      'catalog.products.get',
      { erp_id: 'Товар 7 %?' },
    ],
    ['/products/by-erp-id/a%2Fb%252Fc+d', 'catalog.products.get', { erp_id: 'a/b%2Fc+d' }],
    [`/products/by-erp-id/${encodeURIComponent('я'.repeat(191))}`, 'catalog.products.get', { erp_id: 'я'.repeat(191) }],
  ]
  it.each(cases)('GET %s', async (url, subject, body) => {
    answer = () => ({ data: [], versions: [] })
    const { status, asked } = await ask(url)
    expect(status).toBe(200)
    expect(asked.map((call) => [call.subject, JSON.parse(call.body)])).toEqual([[subject, body]])
  })
  it('an article and a storage are asked for together, for as long as a supplier may take', async () => {
    answer = () => ({ ok: true, ms: 12, brands: [], error: null })
    const { status, asked } = await ask('/storages/5/test', {
      method: 'POST',
      headers: json,
      body: '{"article":"OC 90"}',
    })
    expect([status, asked.map(({ subject, body, timeoutMs }) => [subject, JSON.parse(body), timeoutMs])]).toEqual([
      200,
      [['supplier-search.storages.test', { id: 5, article: 'OC 90' }, 15_000]],
    ])
  })
  it('the settings of the moment travel with the call', async () => {
    answer = () => ({})
    await stub.administration.patch({ media_wait_ms: 1_234 })
    const { asked } = await ask('/products/7')
    await stub.administration.patch({ media_wait_ms: defaultSettings.media_wait_ms })
    expect(asked[0]?.settings).toMatchObject({ media_wait_ms: 1_234 })
  })
  it.each([
    '/products/0',
    '/products/x',
    '/products/1.5',
    '/products/by-erp-id/',
    '/products/by-erp-id/%20',
    '/products/by-erp-id/%00',
    '/storages/-1',
    '/import-tasks/x/skipped',
    '/import-tasks/x/events',
    '/import-tasks/0/file',
    '/import-tasks/-1/skipped.csv',
  ])('%s names nothing', async (url) => {
    expect(await ask(url)).toMatchObject({ status: 404, body: { message: texts.notFound }, asked: [] })
  })
  it.each([
    '/storages?page=abc',
    '/products?per_page=501',
    '/media-jobs?status=done',
    '/audit?page=0',
    '/supplies?storage_id=x',
    '/import-tasks?status=done',
    '/import-tasks/41/skipped?page=0',
  ])('422: %s', async (url) => {
    expect(await ask(url)).toMatchObject({ status: 422, body: { message: texts.invalid, errors: {} }, asked: [] })
  })
})

it('images of categories and products have public URLs', async () => {
  const path = (item: typeof product | typeof category) => ({
    ...item,
    media: item.media.map((media) => ({ ...media, url: new URL(media.url).pathname })),
  })
  answer = (subject) =>
    subject === 'catalog.products.get' ? path(product) : { data: [path(category)], total: 1, page: 1, per_page: 50 }
  const host = { ...admin, host: 'parts.example.org' }
  expect(await ask('/products/1', { headers: host })).toMatchObject({
    body: { media: [{ url: 'http://parts.example.org/media/7/nb-1204.jpg' }] },
  })
  expect(await ask('/categories', { headers: host })).toMatchObject({
    body: { data: [{ media: [{ url: 'http://parts.example.org/media/6/brake-pads.png' }] }] },
  })
})
