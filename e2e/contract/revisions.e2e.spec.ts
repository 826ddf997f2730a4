import { beforeAll, describe, expect, it } from '@jest/globals'
import type { ApiResponse, Method } from '../testing/api-client.js'
import { useShop } from '../testing/contract-product.js'
import { expectStatus, type Supply } from '../testing/shop.js'

const open = useShop()

const MESSAGE = 'It was changed meanwhile.'
type Body = Record<string, unknown>

const send = (method: Method, path: string, body?: unknown, ifMatch?: string): Promise<ApiResponse<Body>> =>
  open().admin.send<Body>(method, path, {
    ...(body !== undefined && { body }),
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  })
const revisionOf = ({ headers }: ApiResponse): number => {
  expect(headers.etag).toMatch(/^"\d+"$/)
  return Number(String(headers.etag).slice(1, -1))
}

let storageId: number
beforeAll(async () => {
  const storage = { name: 'Revised', supplier: { kind: 'price-list' } }
  storageId = Number(expectStatus(await send('POST', '/storages', storage), 201).body.id)
})

// admin.md#revisions
describe.each([
  ['/pick-up-points', () => ({ name: 'A' }), { name: 'B' }, { name: 'C' }],
  ['/storages', () => ({ name: 'A' }), { name: 'B' }, { name: 'C' }],
  ['/brand-synonyms', () => ({ canonical: `R-A-${Date.now()}` }), { synonyms: ['R-B'] }, { synonyms: ['R-C'] }],
  ['/price-lists', () => ({ name: 'A', storage_id: storageId }), { name: 'B' }, { name: 'C' }],
] as const)('%s', (path, fields, first, second) => {
  let one: string
  let created: ApiResponse<Body>
  beforeAll(async () => {
    created = expectStatus(await send('POST', path, fields()), 201)
    one = `${path}/${created.body.id}`
  })

  it('answers the revision with the resource, and not in it', async () => {
    const read = expectStatus(await send('GET', one), 200)
    expect(revisionOf(read)).toBe(revisionOf(created))
    expect(read.body).toEqual(created.body)
    expect(read.body).not.toHaveProperty('revision')
    const list = await send('GET', `${path}?per_page=500`)
    for (const row of list.body.data as Body[]) expect(row).not.toHaveProperty('revision')
  })

  it('changes the resource when the revision is the current one, and raises it', async () => {
    const before = revisionOf(await send('GET', one))
    const changed = expectStatus(await send('PATCH', one, first, `"${before}"`), 200)
    expect(changed.body).toMatchObject(first)
    expect(revisionOf(changed)).toBeGreaterThan(before)
    expect(revisionOf(await send('GET', one))).toBe(revisionOf(changed))
  })

  it.each([['"0"'], ['"0", "999999"'], ['W/"1"'], ['nonsense']])('refuses a change with If-Match: %s', async (tag) => {
    const before = await send('GET', one)
    const refused = await send('PATCH', one, second, tag)
    expect([refused.status, refused.body]).toEqual([412, { message: MESSAGE, current: before.body }])
    expect(refused.headers.etag).toBe(before.headers.etag)
    const kept = await send('DELETE', one, undefined, tag)
    expect([kept.status, kept.body]).toEqual([412, { message: MESSAGE, current: before.body }])
    expect((await send('GET', one)).body).toEqual(before.body)
  })

  it('compares nothing with *, without the header, and one of several revisions', async () => {
    expectStatus(await send('PATCH', one, second, '*'), 200)
    const changed = expectStatus(await send('PATCH', one, first), 200)
    expectStatus(await send('PATCH', one, second, `"0", "${revisionOf(changed)}"`), 200)
  })

  it('of changes at once with the same revision makes one', async () => {
    const tag = (await send('GET', one)).headers.etag?.toString() ?? ''
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('PATCH', one, first, tag)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412])
  })

  it('answers 404 to an unknown id, with the header too', async () => {
    expect((await send('PATCH', `${path}/999999999`, first, '"1"')).status).toBe(404)
    expect((await send('DELETE', `${path}/999999999`, undefined, '"1"')).status).toBe(404)
  })

  it('deletes the resource when the revision is the current one', async () => {
    const tag = (await send('GET', one)).headers.etag?.toString() ?? ''
    expectStatus(await send('DELETE', one, undefined, tag), 204)
    expect((await send('GET', one)).status).toBe(404)
  })
})

// admin.md#revisions
describe('/settings', () => {
  it('refuses a change, a new token and a revocation with an older revision', async () => {
    const before = await send('GET', '/settings')
    const tag = before.headers.etag?.toString() ?? ''
    const changed = expectStatus(await send('PATCH', '/settings', { media_wait_ms: 4_000 }, tag), 200)
    expect(revisionOf(changed)).toBeGreaterThan(revisionOf(before))
    for (const refused of [
      await send('PATCH', '/settings', { media_wait_ms: 3_000 }, tag),
      await send('PATCH', '/settings', {}, tag),
      await send('POST', '/settings/erp-token', undefined, tag),
      await send('POST', '/settings/b2b-token', undefined, tag),
      await send('DELETE', '/settings/erp-token', undefined, tag),
    ]) {
      expect([refused.status, refused.body]).toEqual([412, { message: MESSAGE, current: changed.body }])
      expect(refused.headers.etag).toBe(changed.headers.etag)
    }
    expect((await send('GET', '/settings')).body).toEqual(changed.body)
    const issued = expectStatus(
      await send('POST', '/settings/b2b-token', undefined, changed.headers.etag?.toString()),
      200,
    )
    expect(issued.headers.etag).toBe((await send('GET', '/settings')).headers.etag)
  })

  it('of changes at once with the same revision makes one', async () => {
    const tag = (await send('GET', '/settings')).headers.etag?.toString() ?? ''
    const answers = await Promise.all(
      [1_000, 2_000, 3_000, 3_500].map((ms) => send('PATCH', '/settings', { media_wait_ms: ms }, tag)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
  })
})

describe('/supplies', () => {
  it('compares the revision of the fields of administrators, which stock updates do not raise', async () => {
    const item = { id_erp: 'REVISED-1', name: 'Filter' }
    expectStatus(await open().erp.post('/products/batch-upsert', [item]), 200)
    const stock = (quantity: number) =>
      open().erp.post('/stocks/batch-update', [{ product_id_erp: 'REVISED-1', quantity }])
    expectStatus(await stock(4), 200)
    const [supply] = (await open().suppliesOf('REVISED-1')) as [Supply]
    const one = `/supplies/${supply.id}`
    expectStatus(await send('PATCH', one, { selling_price: 10 }), 200)
    const read = expectStatus(await send('GET', one), 200)
    expect(read.body).toMatchObject({ ...supply, selling_price: 10 })
    const tag = read.headers.etag?.toString() ?? ''
    expectStatus(await stock(7), 200)
    const again = expectStatus(await send('PATCH', one, { selling_price: 11 }, tag), 200)
    const refused = await send('PATCH', one, { selling_price: 12 }, tag)
    expect([refused.status, refused.body]).toEqual([412, { message: MESSAGE, current: again.body }])
    expect(again.body).toMatchObject({ quantity: 7, selling_price: 11 })
  })
})

it('a run of a source does not raise the revision of its list', async () => {
  const source = { kind: 'url', url: 'http://127.0.0.1:1/price.csv' }
  const created = expectStatus(
    await send('POST', '/price-lists', { name: 'Runs', storage_id: storageId, sources: [source] }),
    201,
  )
  const one = `/price-lists/${created.body.id}`
  const [{ id }] = created.body.sources as [{ id: number }]
  expectStatus(await send('POST', `${one}/sources/${id}/run`), 200)
  const read = await send('GET', one)
  expect((read.body.sources as Array<{ last_run: unknown }>)[0]?.last_run).not.toBeNull()
  expect(read.headers.etag).toBe(created.headers.etag)
})
