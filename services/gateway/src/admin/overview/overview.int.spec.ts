import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { overview, references } from '@partsbus/contracts/administration/overview'
import { listProducts } from '@partsbus/contracts/catalog/commands'
import { busHeaders } from '@partsbus/contracts/message'
import { getCatalogOverview } from '@partsbus/contracts/catalog/overview'
import { getPriceListReferences, getPricingOverview } from '@partsbus/contracts/pricing-import/overview'
import { getStockOverview, getStockReferences } from '@partsbus/contracts/stock/overview'
import { explainBrands, getSearchOverview, getSupplierStatistics } from '@partsbus/contracts/supplier-search/overview'
import type { Subscription } from '@nats-io/transport-node'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { type Answer, ask } from '../../testing/send-request.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
let services: Subscription[] = []

const day = { completed: 1, failed: 0, rows: 10, imported: 9, skipped: 1 }
const imports = { pending: 0, processing: 0, oldest_pending_at: null, day, last: [] }
const storages = [
  { id: 1, name: 'Own', is_active: true, kind: 'own-stock' as const },
  { id: 2, name: 'Berg', is_active: true, kind: 'http' as const },
  { id: 3, name: 'Old', is_active: false, kind: 'http' as const },
]
const berg = {
  storage_id: 2,
  name: 'Berg before it was renamed',
  kind: 'http' as const,
  state: 'ok' as const,
  asked: 4,
  failed: 0,
  p95_ms: 240,
  last_error: null,
  last_ok_at: null,
  failing_since: null,
}

const answers = {
  catalog: () =>
    answerCommand(stage.nc, getCatalogOverview, () => ({
      products: 5,
      deleted: 1,
      categories: 2,
      pictures_pending: 0,
      pictures_failed: 0,
      pictures_failed_since: null,
      last_batch_at: null,
    })),
  stock: () =>
    answerCommand(stage.nc, getStockOverview, () => ({
      supplies: 9,
      storages: 3,
      pick_up_points: 1,
      last_update_at: null,
      storage_references: storages,
      unreadable: [],
    })),
  pricing: () =>
    answerCommand(stage.nc, getPricingOverview, () => ({
      imports,
      sources: { active: 0, failing: [] },
      failed: [],
      unreadable: [],
      disk: null,
    })),
  search: () => answerCommand(stage.nc, getSearchOverview, () => ({ suppliers: [berg, { ...berg, storage_id: 9 }] })),
}

beforeAll(async () => {
  stage = await openRealStage('overview')
  ;({ port } = await stage.startGateway())
})
beforeEach(async () => {
  services.forEach((service) => service.unsubscribe())
  services = Object.values(answers).map((answer) => answer())
  await stage.nc.flush()
})
afterAll(() => stage?.close())

const show = async () => {
  const { status, body } = await administer(port, 'GET', '/overview')
  expect(status).toBe(200)
  return overview.parse(body)
}

describe('GET /overview (admin.md#overview)', () => {
  it('answers what every service says', async () => {
    const answer = await show()
    expect(answer.services.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'gateway up',
      'administration up',
      'catalog up',
      'stock up',
      'pricing-import up',
      'supplier-search up',
    ])
    expect(answer).toMatchObject({
      problems: [],
      imports,
      sources: { active: 0, failing: [] },
      catalog: { products: 5, deleted: 1 },
      stock: { supplies: 9, storages: 3, pick_up_points: 1, last_update_at: null },
    })
    expect(answer.stock).not.toHaveProperty('unreadable')
  })

  it('lists the active storages by their present names, those that were not asked as quiet', async () => {
    expect((await show()).suppliers).toEqual([
      expect.objectContaining({ storage_id: 1, name: 'Own', state: 'quiet', asked: 0 }),
      expect.objectContaining({ storage_id: 2, name: 'Berg', state: 'ok', asked: 4, p95_ms: 240 }),
    ])
  })

  it('answers null for a service that is stopped, names it, and remembers since when', async () => {
    services[3]?.unsubscribe()
    await stage.nc.flush()
    const first = await show()
    expect(first.suppliers).toBeNull()
    expect(first.services[5]).toEqual({ name: 'supplier-search', state: 'away', ms: null })
    expect(first.catalog).not.toBeNull()
    expect(first.problems).toEqual([
      {
        code: 'service-away',
        severity: 'error',
        since: expect.any(String),
        params: { name: 'supplier-search' },
        count: 1,
      },
    ])
    expect((await show()).problems[0]?.since).toBe(first.problems[0]?.since)
    services.push(answers.search())
    await stage.nc.flush()
    expect((await show()).problems).toEqual([])
  })

  it('does not wait longer than 1.5 s for a service that does not answer', async () => {
    services[0]?.unsubscribe()
    const deadlines: unknown[] = []
    const frozen = stage.nc.subscribe(getCatalogOverview.subject, {
      callback: (_error, { headers }) => void deadlines.push(headers?.get(busHeaders.timeoutMs)),
    })
    await stage.nc.flush()
    const answer = await show()
    expect(deadlines).toEqual(['1500'])
    expect(answer.catalog).toBeNull()
    expect(answer.services[2]).toMatchObject({ name: 'catalog', state: 'away' })
    expect(answer.stock).not.toBeNull()
    frozen.unsubscribe()
  })

  it('lists the suppliers as the search knows them while the stock service is away', async () => {
    services[1]?.unsubscribe()
    await stage.nc.flush()
    const answer = await show()
    expect(answer.stock).toBeNull()
    expect(answer.suppliers?.map(({ storage_id }) => storage_id)).toEqual([2, 9])
  })
})

describe('the requests of the ERP and of partners (admin.md#overview, admin.md#statistics)', () => {
  const erp = (token: string, url = '/api/erp/ping'): Promise<Answer> =>
    ask(port, { url, headers: { authorization: `Bearer ${token}` } })

  it('are counted by what came of them', async () => {
    expect((await show()).apis.erp).toMatchObject({ is_enabled: false, is_ready: false, last_call_at: null })
    expect((await erp('off')).statusCode).toBe(503)
    await administer(port, 'PATCH', '/settings', { erp_enabled: true })
    const { token } = (await administer(port, 'POST', '/settings/erp-token')).body as { token: string }
    expect((await erp('wrong')).statusCode).toBe(401)
    expect((await show()).apis.erp).toMatchObject({ last_call_at: null, requests: 2, refused: 2 })
    expect((await erp(token)).statusCode).toBe(200)
    expect((await erp(token, '/api/erp/nothing')).statusCode).toBe(404)
    const { apis, problems } = await show()
    expect(apis.erp).toEqual({
      is_enabled: true,
      is_ready: false,
      last_call_at: expect.any(String),
      requests: 4,
      refused: 3,
      failed: 0,
    })
    expect(apis.b2b).toMatchObject({ requests: 0, last_call_at: null })
    expect(problems).toEqual([
      {
        code: 'erp-not-ready',
        severity: 'error',
        since: null,
        params: { missing: ['storage', 'pick-up point'] },
        count: 1,
      },
    ])
    const { status, body } = await administer(port, 'GET', '/statistics/apis?step=day')
    expect(status).toBe(200)
    expect(body).toEqual([
      { at: expect.any(String), api: 'erp', requests: 4, refused: 3, failed: 0, p95_ms: expect.any(Number) },
    ])
  })

  it.each([
    ['/statistics/apis?from=2026-01-01&to=2026-02-01', 'The range must not have more than 1000 points.'],
    ['/statistics/suppliers?from=nothing', 'The from is not a valid date.'],
    ['/statistics/imports?from=2020-01-01', 'The range must not have more than 1000 points.'],
  ])('%s is 422', async (url, text) => {
    const { status, body } = await administer(port, 'GET', url)
    expect([status, body.errors]).toEqual([422, { from: [text] }])
  })

  it('points of suppliers are those of the search', async () => {
    services.push(
      answerCommand(stage.nc, getSupplierStatistics, ({ body }) => {
        expect(body).toMatchObject({ step: 'day', storage_id: 7 })
        return { points: [] }
      }),
    )
    await stage.nc.flush()
    expect(await administer(port, 'GET', '/statistics/suppliers?step=day&storage_id=7')).toEqual({
      status: 200,
      body: [],
    })
  })
})

describe('GET /references (admin.md#names)', () => {
  const list = { id: 4, name: 'North', storage_id: 2, is_active: true, last_file_name: 'price.csv' }

  it('answers all names, and 304 while they are the same', async () => {
    const points = [{ id: 1, name: 'Shop', is_active: true }]
    services.push(
      answerCommand(stage.nc, getStockReferences, () => ({ storages, pick_up_points: points })),
      answerCommand(stage.nc, getPriceListReferences, () => ({ price_lists: [list] })),
    )
    await stage.nc.flush()
    for (const [name, role] of [
      ['anna', 'owner'],
      ['pavel', 'manager'],
    ])
      expect((await administer(port, 'POST', '/administrators', { name, display_name: 'Anna', role })).status).toBe(201)
    const get = (etag?: string): Promise<Answer> =>
      ask(port, {
        url: '/api/admin/references',
        headers: {
          authorization: 'Bearer admin-token-of-the-specs',
          ...(etag !== undefined && { 'if-none-match': etag }),
        },
      })
    const first = await get()
    expect(first.statusCode).toBe(200)
    expect(references.parse(first.json())).toMatchObject({
      storages,
      price_lists: [list],
      pick_up_points: points,
      owners: ['Anna'],
    })
    const { etag } = first.headers
    const second = await get(etag)
    expect([second.statusCode, second.body, second.headers.etag]).toEqual([304, '', etag])
    points.push({ id: 2, name: 'Other shop', is_active: true })
    const third = await get(etag)
    expect(third.statusCode).toBe(200)
    expect(third.headers.etag).not.toBe(etag)
  })

  it('is 503 while a service is away', async () => {
    expect((await administer(port, 'GET', '/references')).status).toBe(503)
  })
})

describe('POST /search/brands (admin.md#search-explain)', () => {
  it('answers what a partner gets while the partner API is off, and says that it is', async () => {
    const found = {
      result: true,
      message: 'OK',
      brands: [],
      article_key: 'OC1051',
      asked_by: 'pick_up_points' as const,
      suppliers: [],
    }
    services.push(
      answerCommand(stage.nc, explainBrands, ({ body }) => {
        expect(body).toEqual({ article: 'oc 1051', pick_up_points: [3] })
        return found
      }),
    )
    await stage.nc.flush()
    const body = { article: 'oc 1051', pick_up_points: [3] }
    expect(await administer(port, 'POST', '/search/brands', body)).toEqual({
      status: 200,
      // a search of version 0.1 does not say what it did not ask
      body: { ...found, is_open: false, asked: 0, of: null, also_in: [], sold_out: [] },
    })
    await administer(port, 'PATCH', '/settings', { b2b_enabled: true })
    expect((await administer(port, 'POST', '/search/brands', body)).body.is_open).toBe(true)
    expect((await administer(port, 'POST', '/search/brands', {})).status).toBe(422)
  })
})

describe('GET /products?count=false (admin.md#list-filters)', () => {
  it('answers null as the total, which was not counted', async () => {
    services.push(
      answerCommand(stage.nc, listProducts, ({ body: { page, per_page } }) => ({ data: [], total: 0, page, per_page })),
    )
    await stage.nc.flush()
    const list = async (query: string) => (await administer(port, 'GET', `/products${query}`)).body
    expect(await list('?count=false')).toEqual({ data: [], total: null, page: 1, per_page: 50 })
    expect(await list('?count=true')).toMatchObject({ total: 0 })
  })
})
