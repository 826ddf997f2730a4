import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { getProductStates, listMediaJobs, retryMediaJobs } from '@partsbus/contracts/catalog/commands'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog?.stop())

const sets = () => catalog.db.collection<{ _id: string }>('media_sets')
let nextId = 0
/** A set that no worker has claimed, with one image of each address. */
function mediaSet(item: 'product' | 'category', erp_id: string, images: Array<[url: string, status: string]>) {
  return {
    _id: `${item}:${erp_id}`,
    item,
    erp_id,
    rev: 1,
    request: 'r',
    undone: true,
    settled: true,
    owed: [],
    allowed_hosts: [],
    due_at: new Date('9999-12-31'),
    retry_at: new Date('9999-12-31'),
    owner: 'o',
    updated_at: new Date(),
    images: images.map(([url, status]) => ({
      id: (nextId += 1),
      url,
      status,
      attempts: 6,
      last_error: 'HTTP 404',
      media_id: null,
    })),
  }
}

beforeEach(async () => {
  await sets().deleteMany({})
  await sets().insertMany([
    mediaSet('product', 'p1', [
      ['https://a.example/1.png', 'failed'],
      ['https://A.example:8443/2.png', 'failed'],
      ['https://aXexample/3.png', 'failed'],
    ]),
    mediaSet('product', 'p2', [
      ['http://user:secret@a.example?4', 'failed'],
      ['https://b.example/a.example/5.png', 'failed'],
      ['https://a.example/6.png', 'done'],
    ]),
    mediaSet('category', 'p1', [['https://a.example.org/7.png', 'pending']]),
  ])
})

const list = async (query: { host?: string; erp_id?: string; status?: 'pending' | 'failed' }) => {
  const { data, total } = await catalog.ask(listMediaJobs, { page: 1, per_page: 50, ...query })
  expect(total).toBe(data.length)
  return data.map(({ url }) => /\d(?=(\.png)?$)/.exec(url)?.[0]).join('')
}

describe('filters of GET /media-jobs (admin.md#list-filters)', () => {
  it.each([
    [{}, '123457'],
    [{ host: 'a.example' }, '124'],
    [{ host: 'A.EXAMPLE' }, '124'],
    [{ host: 'a.example:8443' }, '2'],
    [{ host: '.*' }, ''],
    [{ erp_id: 'p1' }, '1237'],
    [{ erp_id: 'p1', host: 'a.example.org' }, '7'],
    [{ erp_id: 'p1', status: 'failed' as const }, '123'],
    [{ erp_id: 'nothing' }, ''],
  ])('%j', async (query, expected) => expect(await list(query)).toBe(expected))
})

describe('POST /media-jobs/retry (admin.md#media-jobs-retry)', () => {
  const states = async () => {
    const found = await sets().find().sort({ _id: 1 }).toArray()
    return found.flatMap((set) => (set as unknown as ReturnType<typeof mediaSet>).images)
  }

  it('retries the failed images of one host only', async () => {
    expect(await catalog.ask(retryMediaJobs, { host: 'a.example' })).toEqual({ retried: 3 })
    const left = (await states()).filter(({ status, attempts }) => status === 'failed' && attempts === 6)
    expect(left.map(({ url }) => url)).toEqual(['https://aXexample/3.png', 'https://b.example/a.example/5.png'])
    expect((await states()).find(({ url }) => url.endsWith('/6.png'))?.status).toBe('done')
  })

  it('retries each failed image once', async () => {
    expect(await catalog.ask(retryMediaJobs, {})).toEqual({ retried: 5 })
    expect(await catalog.ask(retryMediaJobs, { host: 'nowhere.example' })).toEqual({ retried: 0 })
  })

  it('retries at most 10,000 images', async () => {
    await sets().deleteMany({})
    const urls = Array.from({ length: 90 }, (_, at): [string, string] => [`http://10.0.0.1/${at}`, 'failed'])
    const many = Array.from({ length: 120 }, (_, at) => mediaSet('product', `many-${1_000 + at}`, urls))
    await sets().insertMany(many)
    const { retried } = await catalog.ask(retryMediaJobs, { host: '10.0.0.1' })
    expect(retried).toBe(9_990)
  })
})

describe('images of POST /products/status', () => {
  it('name at most 1,000 problems in one answer, and count all of them (erp.md#status-3)', async () => {
    const keys = ['bad-1', 'bad-2', 'bad-3']
    await catalog.products(keys.map((id_erp) => ({ id_erp, name: id_erp })))
    const urls = Array.from({ length: 600 }, (_, at): [string, string] => [`https://a.example/${at}.png`, 'failed'])
    const failed = keys.map((key) => mediaSet('product', key, urls))
    await sets().deleteMany({})
    await sets().insertMany([...failed])
    const { products } = await catalog.ask(getProductStates, { ids_erp: keys })
    expect(products.map(({ images }) => images.failed)).toEqual([600, 600, 600])
    expect(products.map(({ images }) => images.problems.length)).toEqual([600, 400, 0])
    expect(products[1]?.images.problems[0]).toEqual({
      url: 'https://a.example/0.png',
      attempts: 6,
      reason: 'HTTP 404',
      is_retried: false,
    })
  })
})
