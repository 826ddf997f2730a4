import { describe, expect, it } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { type StockResult, type UpsertResult } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

const open = useShop()

/** Repeated while a busy machine refuses it (rules.md#overload), as an ERP does. */
const post = <Body>(path: string, items: unknown) =>
  waitFor(
    () => open().erp.post<Body>(path, items),
    ({ status, headers }) => status !== 503 || headers['retry-after'] === undefined,
    60_000,
    1_000,
  )
const upsert = async (kind: 'products' | 'categories', items: Record<string, unknown>[]) => {
  const answer = await post<UpsertResult>(`/${kind}/batch-upsert`, items)
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)])
  return answer.body
}

// promises.md#promise-2
describe('concurrent callers', () => {
  it.each(['products', 'categories'] as const)('50 upserts of one new key of %s create it once', async (kind) => {
    const results = await Promise.all(times(50, (i) => upsert(kind, [{ id_erp: `c-one-${kind}`, name: `Name ${i}` }])))
    expect([
      sum(results.map((one) => one.created)),
      sum(results.map((one) => one.updated)),
      results.flatMap((one) => one.errors),
    ]).toEqual([1, 49, []])
  })

  it('100 creates of one name get 100 slugs', async () => {
    await Promise.all(times(100, (i) => upsert('products', [{ id_erp: `c-slug-${i}`, name: 'Wanted by all' }])))
    const slugs = await Promise.all(times(100, async (i) => (await open().productOf(`c-slug-${i}`)).slug))
    expect(new Set(slugs).size).toBe(100)
    for (const slug of slugs) expect(slug).toMatch(/^wanted-by-all(-\d+)?$/)
  })

  it('stores all attributes that several batches write to one product', async () => {
    await Promise.all(
      times(20, (i) =>
        upsert('products', [
          { id_erp: 'c-attr', name: 'A', attributes: [{ name: `attribute ${i}`, value: String(i) }] },
        ]),
      ),
    )
    expect((await open().productOf('c-attr')).attributes).toHaveLength(20)
  })

  it('a short description never replaces a full one', async () => {
    await Promise.all(
      times(40, (i) =>
        upsert('products', [
          {
            id_erp: `c-desc-${i % 10}`,
            name: 'D',
            ...(i % 4 === 0 ? { description_full: 'full' } : { description_short: 'short' }),
          },
        ]),
      ),
    )
    await Promise.all(
      times(10, (i) => upsert('products', [{ id_erp: `c-desc-${i}`, name: 'D', description_short: 'late' }])),
    )
    const texts = await Promise.all(times(10, async (i) => (await open().productOf(`c-desc-${i}`)).description))
    texts.forEach((text, i) => expect([i, text]).toEqual([i, i % 2 === 0 ? 'full' : 'short']))
  })

  it('batches over the same 500 items in opposite order all succeed within seconds', async () => {
    const ids = times(500, (i) => `c-order-${i}`)
    const started = Date.now()
    await Promise.all(
      times(4, (turn) =>
        upsert(
          'products',
          (turn % 2 === 0 ? ids : ids.toReversed()).map((id) => ({ id_erp: id, name: `Turn ${turn}` })),
        ),
      ),
    )
    expect(Date.now() - started).toBeLessThan(20_000)
    const stocks = await Promise.all(
      times(4, (turn) =>
        post<StockResult>(
          '/stocks/batch-update',
          (turn % 2 === 0 ? ids : ids.toReversed()).map((id) => ({ product_id_erp: id, quantity: turn })),
        ),
      ),
    )
    expect(stocks.map((answer) => [answer.status, answer.body.updated])).toEqual(times(4, () => [200, 500]))
  })

  it('two callers that send opposite edges never create a cycle', async () => {
    await upsert(
      'categories',
      times(6, (i) => ({ id_erp: `c-ring-${i}`, name: 'Ring' })),
    )
    const edge = (from: number, to: number) =>
      upsert('categories', [{ id_erp: `c-ring-${from}`, name: 'Ring', parent_id_erp: `c-ring-${to}` }])
    await Promise.all(times(6, (i) => edge(i, (i + 1) % 6)).concat(times(6, (i) => edge(i, (i + 5) % 6))))
    const rings = await Promise.all(times(6, (i) => open().categoryOf(`c-ring-${i}`)))
    const byId = new Map(rings.map((one) => [one.id, one.parent_id]))
    for (const { id } of rings) {
      const seen = new Set<number>()
      for (let at: number | null | undefined = id; at !== null && at !== undefined; at = byId.get(at)) {
        expect(seen.has(at)).toBe(false)
        seen.add(at)
      }
    }
  })
})
