import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { useShop } from '../testing/contract-product.js'
import { ResponseChecker, CheckedClient } from '../testing/response-checker.js'
import { field, file, FORM_TYPE, formBody } from '@partsbus/test-kit/form'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { expectStatus, type Page, type Product, type Supply } from '../testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

const asForm = { 'content-type': FORM_TYPE }
const HEAD = 'Бренд;Артикул;Наименование;Количество;Цена\n'

interface Task {
  id: number
  status: string
}

const open = useShop()
let host: ImageHost
let answers: ResponseChecker
let admin: CheckedClient
let erp: CheckedClient
let b2b: CheckedClient
let outside: CheckedClient

beforeAll(async () => {
  host = await startImageHost()
  const shop = open()
  await shop.set({ media_allowed_hosts: ['127.0.0.1'] })
  const { url, adminToken } = shop.product
  answers = new ResponseChecker(
    (await shop.outside.get<ConstructorParameters<typeof ResponseChecker>[0]>('/docs/json')).body,
  )
  admin = new CheckedClient(url, '/api/admin', { authorization: `Bearer ${adminToken}` }, answers)
  erp = new CheckedClient(url, '/api/erp', { authorization: `Bearer ${shop.erpToken}` }, answers)
  const { b2b_token } = (await admin.patch<{ b2b_token: { token: string } }>('/settings', { b2b_enabled: true }))
    .body as { b2b_token: { token: string } }
  b2b = new CheckedClient(url, '/api/b2b', { authorization: `Bearer ${b2b_token.token}` }, answers)
  outside = new CheckedClient(url, '', {}, answers)
}, 300_000)
afterAll(async () => {
  for (const client of [admin, erp, b2b, outside]) client?.close()
  await host?.close()
})

const id = async (answer: Promise<{ body: unknown }>): Promise<number> => ((await answer).body as { id: number }).id
const upload = async (list: number, text: string, name = 'price.csv'): Promise<number> =>
  expectStatus(
    await admin.post<{ task_id: number }>(`/price-lists/${list}/upload`, formBody([file(text, name)]), asForm),
    200,
  ).body.task_id
const ended = (task: number) =>
  waitFor(
    async () => (await admin.get<Task>(`/import-tasks/${task}`)).body,
    ({ status }) => status === 'completed' || status === 'failed',
    60_000,
  )

it('catalogue and stock requests are answered as documented', async () => {
  await erp.get('/ping')
  const picture = host.put('/a.png', png(1, 8, 8))
  await erp.post('/categories/batch-upsert', [
    { id_erp: 'openapi-C-1', name: 'Фильтры', image_url: picture },
    { id_erp: 'openapi-C-2', name: 'Child', parent_id_erp: 'openapi-C-1' },
  ])
  await erp.post('/products/batch-upsert', [
    {
      id_erp: 'openapi-P-1',
      name: 'Filter',
      brand: 'CLARIS',
      article: 'OC 1051',
      category_id_erp: 'openapi-C-1',
      attributes: [{ name: 'Thread', value: 'M20' }],
      images: [{ url: picture, is_main: true }],
    },
    {
      id_erp: 'openapi-P-2',
      name: 'No picture',
      images: [{ url: `${host.url}/missing.png` }],
      category_id_erp: 'unknown',
    },
  ])
  await erp.post('/products/batch-upsert', [{ id_erp: 'openapi-P-3' }])
  await erp.post('/products/batch-upsert', '{')
  await erp.post('/stocks/batch-update', [
    { product_id_erp: 'openapi-P-1', quantity: 3, selling_price: 10.5, supply_date: '2026-11-21' },
    { product_id_erp: 'none', quantity: 1 },
  ])
  await erp.post('/products/delete', { ids_erp: ['openapi-P-2', 'never'] })
  await erp.post('/categories/delete', { ids_erp: ['openapi-C-2'] })
  for (const path of [
    '/categories',
    '/categories/by-erp-id/openapi-C-1',
    '/categories/by-erp-id/none',
    '/categories/none',
    '/products?trashed=true',
    '/products?q=fil&category_id=1',
    '/products/by-erp-id/openapi-P-2',
    '/products/none',
    '/products?page=0',
  ])
    await admin.get(path)
  const product = (await admin.get<Product>('/products/by-erp-id/openapi-P-1')).body
  await admin.get(`/products/${product.id}`)
  await admin.get(`/categories/${product.categories[0]?.id}`)
  const url = product.media[0]?.url ?? ''
  const { status, headers } = await outside.get(new URL(url).pathname)
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  const supplies = (await admin.get<Page<Supply>>('/supplies?product_erp_id=openapi-P-1')).body
  await admin.get(`/supplies/${supplies.data[0]?.id}`)
  await admin.patch(`/supplies/${supplies.data[0]?.id}`, { selling_price: 12, reserved: 1 })
  await admin.patch(`/supplies/${supplies.data[0]?.id}`, { reserved: -1 })
  const jobs = await waitFor(
    async () => (await admin.get<Page<{ id: number }>>('/media-jobs')).body,
    ({ total }) => total > 0,
  )
  await admin.get('/media-jobs?status=nonsense')
  await admin.post(`/media-jobs/${jobs.data[0]?.id}/retry`)
})

it('requests of the ERP for prices, states and full synchronisations are answered as documented', async () => {
  await erp.post('/prices/batch-update', [
    { product_id_erp: 'openapi-P-1', selling_price: 10.5 },
    { product_id_erp: 'none', old_price: null },
  ])
  await erp.post('/prices/batch-update', [{ product_id_erp: 'openapi-P-1', selling_price: 0.001 }])
  await erp.post('/products/status', { ids_erp: ['openapi-P-1', 'openapi-P-2', 'never'] })
  await erp.post('/products/status', { ids_erp: 5 })
  await erp.post('/products/status', { ids_erp: ['openapi-P-1', 'never'], fields: true })
  await erp.post('/categories/status', { ids_erp: ['openapi-C-1', 'never'] })
  await erp.post('/categories/status', {})
  await erp.get('/batches')
  const cancelled = await id(erp.post('/full-sync'))
  // one at a time
  await erp.post('/full-sync')
  await erp.get(`/full-sync/${cancelled}`)
  await erp.post(`/full-sync/${cancelled}/cancel`)
  const completed = await id(erp.post('/full-sync'))
  await erp.get(`/full-sync/${completed}/not-sent?kind=products`)
  await erp.get(`/full-sync/${completed}/not-sent`)
  await erp.get(`/full-sync/${cancelled}/not-sent?kind=categories`)
  await erp.get('/full-sync/none/not-sent?kind=categories')
  await erp.post(`/full-sync/${completed}/complete`, { max_deactivated_percent: 101 })
  await erp.post(`/full-sync/${completed}/complete`, { max_deactivated_percent: 10 })
  await erp.get('/full-sync/none')
})

it('requests for settings, points, storages and synonyms are answered as documented', async () => {
  await admin.get('/settings')
  await admin.patch('/settings', { nonsense: 1, erp_allowed_ips: ['x'] })
  await admin.post('/settings/erp-token')
  for (const path of ['/pick-up-points', '/storages', '/brand-synonyms', '/price-lists', '/audit']) {
    await admin.get(`${path}?page=1&per_page=2`)
    await admin.get(`${path}?per_page=501`)
    if (path !== '/audit') await admin.get(`${path}/999999`)
  }
  const storage = await id(
    admin.post('/storages', {
      name: 'Far',
      supplier: {
        kind: 'http',
        base_url: `${host.url}/supplier`,
        headers: { 'X-Key': 'hidden' },
        timeout_ms: 500,
        dialect: 'standard',
      },
    }),
  )
  await admin.get(`/storages/${storage}`)
  await admin.patch(`/storages/${storage}`, { name: 'Farther' })
  await admin.post(`/storages/${storage}/test`, { article: 'OC 1051' })
  await admin.post('/storages', { supplier: { kind: 'nonsense' } })
  const point = await id(admin.post('/pick-up-points', { name: 'Second', city: 'Riga', storage_ids: [storage] }))
  await admin.get(`/pick-up-points/${point}`)
  await admin.patch(`/pick-up-points/${point}`, { is_active: false, schedule: '9-18' })
  await admin.delete(`/storages/${storage}`)
  await admin.delete(`/pick-up-points/${point}`)
  await admin.delete(`/storages/${storage}`)
  await admin.delete(`/storages/${open().storageId}`)
  const group = await id(admin.post('/brand-synonyms', { canonical: 'OPENAPI', synonyms: ['ОПЕНАПИ'] }))
  await admin.get(`/brand-synonyms/${group}`)
  await admin.patch(`/brand-synonyms/${group}`, { synonyms: ['Documented'] })
  await admin.post('/brand-synonyms', { canonical: 'Documented', synonyms: [] })
  await admin.delete(`/brand-synonyms/${group}`)
})

it('requests for price lists, imports and sources are answered as documented', async () => {
  const storage = await id(admin.post('/storages', { name: 'Lists', supplier: { kind: 'price-list' } }))
  host.on('/price.csv', (_request, response) => response.end(`${HEAD}KYB;FETCHED;x;1;1\n`))
  const list = await id(
    admin.post('/price-lists', {
      name: 'North',
      storage_id: storage,
      markup_percent: 10,
      format: { delimiter: ';', columns: { brand: 'Бренд', price: ['Цена', 'E'] } },
      sources: [
        {
          kind: 'url',
          url: `${host.url}/price.csv`,
          username: 'shop',
          password: 'word',
          every_minutes: 600,
          is_active: false,
        },
      ],
    }),
  )
  await admin.patch(`/price-lists/${list}`, { markup_percent: 12.5 })
  await admin.patch(`/price-lists/${list}`, { markup_percent: -101, storage_id: 999_999 })
  await admin.delete(`/storages/${storage}`)
  const first = await upload(list, `${HEAD}KYB;333114;Амортизатор;>10;1 234,50 руб\nKYB;;no article;1;1\n`)
  expect(await ended(first)).toMatchObject({ status: 'completed' })
  const fetched = (await admin.post<{ task_id: number }>(`/price-lists/${list}/sources/1/run`)).body.task_id
  expect(await ended(fetched)).toMatchObject({ status: 'completed' })
  await admin.post(`/price-lists/${list}/sources/1/run`)
  await admin.post(`/price-lists/${list}/sources/9/run`)
  await admin.get(`/price-lists/${list}`)
  await admin.post(`/price-lists/${list}/preview`, formBody([file(`${HEAD}KYB;1;x;1;1\n;2;x;1;1\n`, 'p.csv')]), asForm)
  await admin.post(`/price-lists/${list}/preview`, formBody([file('x', 'p.exe')]), asForm)
  for (const path of [
    'offers?price_from=0.5&price_to=x',
    'offers',
    'offers.csv',
    'offers.xlsx',
    `offers.xlsx?article=${'x'.repeat(192)}`,
  ])
    await admin.get(`/price-lists/${list}/${path}`)
  await admin.post(`/price-lists/${list}/sources/test`, { kind: 'url', url: 'http://nowhere.invalid/x.csv' })
  await admin.post(`/price-lists/${list}/upload`, 'x', { 'content-type': 'text/plain' })
  await admin.post(`/price-lists/${list}/upload`, formBody([file('', 'p.csv')]), asForm)
  await admin.get(`/price-lists/${list}/versions`)
  for (const path of ['changes', 'changes.csv', 'changes.xlsx'])
    for (const query of ['', '?kind=dearer&brand=kyb', '?to=999999', '?kind=x'])
      await admin.get(`/price-lists/${list}/${path}${query}`)
  expectStatus(await admin.post(`/price-lists/${list}/rollback`), 200)
  await admin.post(`/price-lists/${list}/rollback`)
  await admin.post(`/price-lists/${list}/rollback`, { version: 999_999 })
  for (const path of [
    '',
    `?price_list_id=${list}&status=completed`,
    '?status=nonsense',
    '/999999',
    `/${first}/skipped`,
    `/${first}/skipped.csv`,
    `/${first}/skipped.csv?correctable=perhaps`,
    `/${first}/skipped.xlsx`,
    '/999999/skipped.xlsx',
    `/${first}/file`,
    `/${first}/events`,
    '/999999/events',
    '/999999/file',
  ])
    await admin.get(`/import-tasks${path}`)
  const failed = await upload(list, `${HEAD};;;;\nKYB;;x;1;1\n`)
  expect(await ended(failed)).toMatchObject({ status: 'failed' })
  await ended(await id(admin.post(`/import-tasks/${failed}/retry`)))
  await admin.post(`/import-tasks/${first}/retry`)
  await admin.post(`/import-tasks/${first}/cancel`)
  // the second waits for the first one of its list
  const busy = await upload(list, HEAD + Array.from({ length: 60_000 }, (_, at) => `KYB;A${at};x;1;1`).join('\n'))
  await admin.post(`/import-tasks/${await upload(list, `${HEAD}KYB;C;x;1;1\n`)}/cancel`)
  await ended(busy)

  await b2b.post('/get-pick-up-points')
  await admin.post(`/storages/${storage}/in-search`)
  await admin.post('/storages/999999/in-search')
  await admin.patch('/settings', { storages_for_crosses: [open().storageId, storage] })
  await b2b.post('/get-brands', { article: '333114' })
  await b2b.post('/get-brands', { article: 5 })
  await b2b.post('/get-parts', { article: 'oc-1051', brands: ['Claris'] })
  await b2b.post('/get-parts', { article: 'oc-1051', brands: [] })
  const { task_id } = (
    await b2b.post<{ task_id: number }>(
      '/upload-price-list',
      formBody([file(`${HEAD}KYB;1;x;1;1\n`, 'p.csv'), field('id', list)]),
      asForm,
    )
  ).body
  await b2b.post('/upload-price-list', formBody([file('x', 'p.csv'), field('id', 'abc')]), asForm)
  await b2b.post('/upload-price-list', formBody([file('x', 'p.pdf'), field('id', list)]), asForm)
  await b2b.post('/get-price-list-status', { task_id })
  await b2b.post('/get-price-list-status', { task_id: 'x' })
  await ended(task_id)
  await admin.delete(`/price-lists/${list}?with_history=true`)
})

it('requests for sessions and people are answered as documented', async () => {
  const { body } = await admin.post<{ id: number; invitation: { token: string } }>('/administrators', {
    name: 'openapi.anna',
    role: 'manager',
  })
  const page = { 'sec-fetch-site': 'same-origin' }
  await outside.send('GET', '/api/admin/sign-in', { headers: page })
  await outside.send('GET', '/api/admin/sign-in', { headers: { 'sec-fetch-site': 'cross-site' } })
  const password = 'correct horse battery'
  await outside.post('/api/admin/invitation', { token: body.invitation.token, password }, page)
  await outside.post('/api/admin/invitation', { token: body.invitation.token, password }, page)
  const { headers } = await outside.post('/api/admin/session', { name: 'openapi.anna', password }, page)
  await outside.post('/api/admin/session', { name: 'openapi.anna', password: 'wrong' }, page)
  await outside.post('/api/admin/session', {}, page)
  await outside.post('/api/admin/session', { name: 'openapi.anna', password })
  const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  const anna = { headers: { ...page, cookie } }
  await outside.send('GET', '/api/admin/session', anna)
  await outside.send('PATCH', '/api/admin/session', { ...anna, body: { locale: 'ru' } })
  await outside.send('PATCH', '/api/admin/session', { ...anna, body: { locale: 'x' } })
  await admin.patch('/session', { locale: 'ru' })
  const own = (await outside.send<Array<{ id: string; is_current: boolean }>>('GET', '/api/admin/sessions', anna)).body
  await outside.send('DELETE', `/api/admin/sessions/${own.find(({ is_current }) => !is_current)?.id}`, anna)
  await outside.send('DELETE', '/api/admin/sessions', anna)
  await outside.send('DELETE', '/api/admin/session', anna)
  await outside.send('GET', '/api/admin/session', anna)
  await admin.get('/administrators')
  await admin.get(`/administrators/${body.id}`)
  await admin.patch(`/administrators/${body.id}`, { display_name: 'Anna', role: 'owner' })
  await admin.patch(`/administrators/${body.id}`, { role: 'viewer' })
  await admin.patch(`/administrators/${body.id}`, { name: 'other' })
  await admin.post(`/administrators/${body.id}/invitation`)
  await admin.delete(`/administrators/${body.id}/sessions`)
  await admin.delete(`/administrators/${body.id}`)
  const other = await id(admin.post('/administrators', { name: 'openapi.pavel', role: 'owner' }))
  await admin.delete(`/administrators/${body.id}`)
  await admin.delete(`/administrators/${other}`)
})

it('requests for the overview, figures and the search are answered as documented', async () => {
  await admin.get('/overview')
  await admin.get('/references')
  for (const path of ['imports', 'suppliers', 'apis']) {
    await admin.get(`/statistics/${path}`)
    await admin.get(`/statistics/${path}?step=day`)
    await admin.get(`/statistics/${path}?from=2020-01-01`)
  }
  await admin.post('/search/brands', { article: '333114' })
  await admin.post('/search/brands', { article: '' })
  await admin.post('/search/parts', { article: 'oc-1051', brands: ['Claris'] })
  await admin.post('/search/parts', { article: 'oc-1051', brands: [] })
  const supplier = { kind: 'http', base_url: `${host.url}/supplier` }
  await admin.post('/storages/test', { supplier, article: 'OC 1051' })
  await admin.post('/storages/test', { supplier: { ...supplier, base_url: 'x' }, article: 'OC 1051' })
  await admin.post('/media-jobs/retry', {})
  await admin.post('/media-jobs/retry', { host: 5 })
})

it('unauthorised requests are answered as documented', async () => {
  const stranger = { authorization: 'Bearer wrong' }
  await admin.send('GET', '/settings', { headers: stranger })
  await b2b.send('POST', '/get-brands', { headers: stranger, body: { article: 'x' } })
  await admin.post('/settings/b2b-token')
  await admin.delete('/settings/b2b-token')
  await b2b.post('/get-brands', { article: 'x' })
  await admin.delete('/settings/erp-token')
  await erp.get('/ping')
  await admin.patch('/settings', { erp_enabled: false, b2b_enabled: false })
  await erp.get('/ping')
  await b2b.post('/get-pick-up-points')
})

it('all responses matched the document, and every endpoint was called', () => {
  expect(answers.violations).toEqual([])
  expect(answers.unseen()).toEqual([])
  expect(answers.seen.size).toBeGreaterThan(100)
})

it('a response that differs from the document is reported', () => {
  const fresh = new ResponseChecker({
    paths: {
      '/a/{id}': {
        get: {
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
                },
              },
            },
          },
        },
      },
    },
    components: {},
  })
  const answer = (body: unknown, status = 200) => ({
    status,
    headers: { 'content-type': 'application/json' },
    bytes: Buffer.alloc(0),
    text: JSON.stringify(body),
    body,
    ms: 0,
  })
  fresh.check('GET', '/a/5', answer({ id: 5 }))
  expect(fresh.violations).toEqual([])
  for (const one of [answer({ id: '5' }), answer({ id: 5, more: 1 }), answer({}), answer({ id: 5 }, 201)])
    fresh.check('GET', '/a/5', one)
  fresh.check('POST', '/a/5', answer({ id: 5 }))
  expect(fresh.violations).toHaveLength(5)
})
