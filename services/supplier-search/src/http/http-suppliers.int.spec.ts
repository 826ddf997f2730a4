import type { Supplier } from '@partsbus/contracts/stock/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import {
  createBrandSynonym,
  deleteBrandSynonym,
  findBrands,
  findParts,
  patchBrandSynonym,
} from '@partsbus/contracts/supplier-search/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { fastestMs } from '@partsbus/test-kit/durations'
import { httpSupplier, type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'
import { SpellingStore } from './spelling-store.js'

let search: SearchUnderTest
let supplier: FakeSupplier
let nextId = 1
beforeAll(async () => {
  search = await startSearchUnderTest()
})
afterAll(() => search.stop())
beforeEach(async () => {
  supplier = await startFakeSupplier()
})
afterEach(() => supplier.close())

/** Storages with new ids, so that no test sees what another one cached. */
function storagesOf(...suppliers: Array<Supplier>): number[] {
  search.world.storages = suppliers.map((each) => ({ id: nextId, name: `Storage ${nextId++}`, supplier: each }))
  return search.world.storages.map(({ id }) => id)
}

const row = (brand: string, more: object = {}) => ({ brand, article: 'OC90', name: 'Oil filter', ...more })
const paths = () => supplier.requests.map(({ path }) => path)

describe('the standard dialect', () => {
  it('sends requests with the headers of the storage, under the path of base_url', async () => {
    storagesOf(
      httpSupplier(supplier, {
        base_url: `${supplier.url}/api/v1/`,
        headers: { Authorization: 'Bearer secret', 'X-Client': '7' },
      }),
    )
    supplier.offer({ brands: [row('Knecht')], parts: [row('Knecht', { quantity: 1 })] })
    await search.ask(findBrands, { article: 'oc 90' })
    await search.ask(findParts, { article: 'oc 90', brands: ['KNECHT'] })
    expect(supplier.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/brands',
        body: { article: 'oc 90' },
        headers: { authorization: 'Bearer secret', 'x-client': '7', 'content-type': 'application/json' },
      },
      { method: 'POST', path: '/api/v1/parts', body: { article: 'oc 90', brands: ['Knecht'] } },
    ])
  })

  it('reuses its connection', async () => {
    storagesOf(httpSupplier(supplier))
    for (let round = 0; round < 5; round += 1) await search.ask(findBrands, { article: `x${round}` })
    expect(supplier.requests).toHaveLength(5)
    expect(supplier.connections()).toBe(1)
  })
})

describe('spellings and synonyms', () => {
  it('are used at once: suppliers get their own spelling, partners the canonical one', async () => {
    const other = await startFakeSupplier()
    storagesOf(httpSupplier(supplier, { cache_seconds: 600 }), httpSupplier(other, { cache_seconds: 600 }))
    supplier.offer({ brands: [row('Mann-Filter')], parts: [row('Mann-Filter', { quantity: 1, price: 2 })] })
    other.offer({ brands: [row('MANN & Hummel')], parts: [row('MANN & Hummel', { quantity: 1, price: 1 })] })
    const brandsOf = async () =>
      (await search.ask(findBrands, { article: 'OC90' })).brands.map(({ brand, storages }) => [brand, storages.length])
    expect(await brandsOf()).toEqual([
      ['MANN & HUMMEL', 1],
      ['MANN-FILTER', 1],
    ])

    const group = await search.ask(createBrandSynonym, {
      canonical: 'Mann',
      synonyms: ['mann-filter', 'Mann & Hummel'],
    })
    expect(await brandsOf()).toEqual([['Mann', 2]])
    for (const brand of ['Mann', 'MANN-FILTER', 'mann & hummel']) {
      const { parts } = await search.ask(findParts, { article: 'OC90', brands: [brand] })
      expect(parts.map((part) => [part.brand, part.price])).toEqual([
        ['Mann', 1],
        ['Mann', 2],
      ])
    }
    const requestedBrands = (fake: FakeSupplier) =>
      fake.requests.filter(({ path }) => path === '/parts').map(({ body }) => (body as { brands: string[] }).brands)
    expect(requestedBrands(supplier)).toEqual([['Mann-Filter']])
    expect(requestedBrands(other)).toEqual([['MANN & Hummel']])

    await search.ask(patchBrandSynonym, { id: group.id, patch: { synonyms: ['mann-filter'] } })
    expect(await brandsOf()).toEqual([
      ['MANN & HUMMEL', 1],
      ['Mann', 1],
    ])
    await search.ask(deleteBrandSynonym, { id: group.id })
    expect(await brandsOf()).toEqual([
      ['MANN & HUMMEL', 1],
      ['MANN-FILTER', 1],
    ])
    await other.close()
  })

  it('and names of storages are those of now in parts from the cache (rules.md#suppliers-fresh)', async () => {
    const [id = 0] = storagesOf(httpSupplier(supplier, { cache_seconds: 600 }))
    supplier.offer({ parts: [row('Mann-Filter', { quantity: 1, price: 2 })] })
    const ask = async () => {
      const { parts } = await search.ask(findParts, { article: 'OC90', brands: ['Mann-Filter'] })
      return parts.map(({ brand, storage_name }) => `${brand} of ${storage_name}`)
    }
    const before = await ask()
    expect([await ask(), await ask()]).toEqual([before, before])
    const { body: asked } = supplier.requests.at(-1) ?? {}
    expect(asked).toEqual({ article: 'OC90', brands: ['Mann-Filter'] })
    search.world.storages = search.world.storages.map((each) => (each.id === id ? { ...each, name: 'Renamed' } : each))
    expect(await ask()).toEqual(['MANN-FILTER of Renamed'])
    const group = await search.ask(createBrandSynonym, { canonical: 'MANN-FILTER', synonyms: [] })
    await search.ask(patchBrandSynonym, { id: group.id, patch: { canonical: 'Mann-Filter' } })
    expect([await ask(), await ask()]).toEqual([['Mann-Filter of Renamed'], ['Mann-Filter of Renamed']])
    await search.ask(patchBrandSynonym, { id: group.id, patch: { canonical: 'mann-filter' } })
    expect(await ask()).toEqual(['mann-filter of Renamed'])
    await search.ask(deleteBrandSynonym, { id: group.id })
    expect(await ask()).toEqual(['MANN-FILTER of Renamed'])
  })

  it('are shared by processes; an unknown brand is requested in every spelling', async () => {
    storagesOf(httpSupplier(supplier))
    supplier.offer({ brands: [row('KneCht')], parts: [] })
    const group = await search.ask(createBrandSynonym, { canonical: 'Mahle', synonyms: ['Knecht'] })
    await search.ask(findParts, { article: 'OC90', brands: ['knecht'] })
    expect(supplier.requests.at(-1)?.body).toEqual({ article: 'OC90', brands: ['knecht', 'Mahle', 'Knecht'] })
    await search.ask(findBrands, { article: 'OC90' })
    await search.restart()
    await search.ask(findParts, { article: 'OC90', brands: ['Mahle'] })
    expect(supplier.requests.at(-1)?.body).toEqual({ article: 'OC90', brands: ['KneCht'] })
    await search.ask(deleteBrandSynonym, { id: group.id })
  })
})

describe('learning spellings', () => {
  const stored = () => search.db.collection('supplier_spellings').countDocuments()
  const brands = (count: number, article: string) =>
    Array.from({ length: count }, (_, at) => row(`Brand ${article} ${at}`, { article }))

  it('delays a reply by half a second at most while the database does not answer', async () => {
    const learn = jest.spyOn(SpellingStore.prototype, 'learn').mockReturnValue(new Promise(() => undefined))
    const [id] = storagesOf(httpSupplier(supplier, { timeout_ms: 2_000 }))
    supplier.offer({ brands: brands(10, 'SLOW') })
    const started = performance.now()
    expect(await search.ask(findBrands, { article: 'SLOW' })).toMatchObject({ suppliers: `${id}=ok`, message: 'OK' })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(learn).toHaveBeenCalledTimes(1)
    learn.mockRestore()
  })

  it('is limited to 200 brands of the requested article', async () => {
    await search.db.collection('supplier_spellings').deleteMany({})
    storagesOf(httpSupplier(supplier))
    supplier.offer({ brands: [...brands(3_000, 'OTHER'), ...brands(3_000, 'MANY')] })
    expect((await search.ask(findBrands, { article: 'MANY' })).brands).toHaveLength(3_000)
    expect(await waitUntil(async () => (await stored()) > 0, { withinMs: 20_000 })).toBe(true)
    // a reply that arrives later is learned after this one
    supplier.offer({ brands: [row('Last', { article: 'LAST' })] })
    await search.ask(findBrands, { article: 'LAST' })
    const last = { spellings: 'Last' }
    const collection = search.db.collection('supplier_spellings')
    expect(await waitUntil(async () => (await collection.countDocuments(last)) === 1, { withinMs: 20_000 })).toBe(true)
    expect(await stored()).toBe(201)
    expect(await collection.countDocuments({ spellings: /OTHER/ })).toBe(0)
  })
})

describe('suppliers that take one brand per request', () => {
  const abcpRow = (brand: string) => ({ brand, number: 'OC90', description: 'n', availability: 1, price: 5 })
  const spellings = (count: number) => Array.from({ length: count }, (_, at) => `Brand ${at}`)
  const ask = (brands: string[]) => search.ask(findParts, { article: 'OC90', brands })

  it('answer in part when some requests fail, and are not cut off (rules.md#suppliers-incomplete)', async () => {
    const [id] = storagesOf(httpSupplier(supplier, { dialect: 'abcp', cache_seconds: 600 }))
    supplier.respond(({ query }, response) =>
      query['brand'] === 'Brand 0' ? sendJson(response, [abcpRow('Brand 0')]) : sendJson(response, {}, 500),
    )
    for (let round = 0; round < 6; round += 1) {
      expect(await ask(spellings(3))).toMatchObject({
        result: true,
        message: 'Partial result: 1 of 1 suppliers did not answer.',
        suppliers: `${id}=partial`,
        parts: [{ brand: 'BRAND 0' }],
      })
    }
    supplier.respond(({ query }, response) => sendJson(response, [abcpRow(query['brand'] ?? '')]))
    expect(await ask(spellings(3))).toMatchObject({ message: 'OK', suppliers: `${id}=ok` })
  })

  it('answer in part, which is not cached, when there are more than 100 spellings', async () => {
    const [id] = storagesOf(httpSupplier(supplier, { dialect: 'abcp', cache_seconds: 600 }))
    supplier.respond(({ query }, response) => sendJson(response, [abcpRow(query['brand'] ?? '')]))
    const group = await search.ask(createBrandSynonym, { canonical: 'Brand 0', synonyms: spellings(120).slice(1) })
    for (let round = 0; round < 2; round += 1) {
      supplier.requests.length = 0
      expect(await ask(['Brand 0'])).toMatchObject({ result: true, suppliers: `${id}=partial` })
      expect(supplier.requests).toHaveLength(100)
    }
    await search.ask(deleteBrandSynonym, { id: group.id })
  })

  it('get no more requests when the first ones fail', async () => {
    const [id] = storagesOf(httpSupplier(supplier, { dialect: 'abcp' }))
    supplier.respond((_request, response) => sendJson(response, {}, 401))
    expect(await ask(spellings(100))).toMatchObject({ suppliers: `${id}=error` })
    expect(supplier.requests.length).toBeLessThan(32)
  })
})

describe('cache, single-flight and circuit breaker', () => {
  it('caches a reply by article, brands and configuration', async () => {
    const [id = 0] = storagesOf(httpSupplier(supplier, { cache_seconds: 60 }))
    supplier.offer({ brands: [row('A')], parts: [row('A', { quantity: 1 })] })
    const ask = () => search.ask(findBrands, { article: 'OC90' })
    expect(await ask()).toEqual(await ask())
    expect(paths()).toEqual(['/brands'])
    await search.ask(findBrands, { article: 'OC91' })
    await search.ask(findParts, { article: 'OC90', brands: ['A'] })
    await search.ask(findParts, { article: 'OC90', brands: ['A'] })
    await search.ask(findParts, { article: 'OC90', brands: ['B'] })
    expect(paths()).toEqual(['/brands', '/brands', '/parts', '/parts'])
    search.world.storages = [
      { id, name: 'Same', supplier: httpSupplier(supplier, { cache_seconds: 60, headers: { 'x-key': 'changed' } }) },
    ]
    await ask()
    expect(paths()).toHaveLength(5)
  })

  it('caches no failure and no partial result', async () => {
    const other = await startFakeSupplier()
    storagesOf(httpSupplier(supplier, { cache_seconds: 60 }), httpSupplier(other, { cache_seconds: 60 }))
    supplier.offer({ brands: [row('A')] })
    other.respond((_request, response) => sendJson(response, {}, 500))
    expect(await search.ask(findBrands, { article: 'OC90' })).toMatchObject({
      message: 'Partial result: 1 of 2 suppliers did not answer.',
      brands: [{ brand: 'A' }],
    })
    other.offer({ brands: [row('B')] })
    expect(await search.ask(findBrands, { article: 'OC90' })).toMatchObject({
      message: 'OK',
      brands: [{ brand: 'A' }, { brand: 'B' }],
    })
    expect(supplier.requests).toHaveLength(1)
    await other.close()
  })

  it('sends identical queries that overlap once', async () => {
    storagesOf(httpSupplier(supplier))
    const held: Array<() => void> = []
    supplier.respond(({ body }, response) => {
      if ((body as { article: string }).article === 'OC90') held.push(() => sendJson(response, [row('A')]))
      else sendJson(response, [])
    })
    await search.ask(findBrands, { article: 'first' })
    const queries = Array.from({ length: 20 }, () => search.ask(findBrands, { article: 'OC90' }))
    // the bus delivers in order: when this one is answered, those before it wait for the supplier
    await search.ask(findBrands, { article: 'last' })
    for (const answer of held) answer()
    const answers = await Promise.all(queries)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.brands).toHaveLength(1)
    expect(held).toHaveLength(1)
  })

  it('asks only the other suppliers after five failures in a row', async () => {
    const other = await startFakeSupplier()
    const [first, second] = storagesOf(httpSupplier(supplier, { timeout_ms: 500 }), httpSupplier(other))
    supplier.respond(() => undefined)
    other.offer({ brands: [row('B')] })
    for (let round = 0; round < 5; round += 1) {
      expect((await search.ask(findBrands, { article: `x${round}` })).suppliers).toBe(`${first}=timeout,${second}=ok`)
    }
    supplier.offer({ brands: [row('A')] })
    const ms = await fastestMs(5, async () =>
      expect(await search.ask(findBrands, { article: 'OC90' })).toMatchObject({
        result: true,
        suppliers: `${first}=error,${second}=ok`,
        brands: [{ brand: 'B' }],
      }),
    )
    expect(ms).toBeLessThan(450)
    expect(supplier.requests).toHaveLength(5)
    await other.close()
  })

  it('sends at most sixteen requests to a supplier at a time', async () => {
    storagesOf(httpSupplier(supplier))
    let most = 0
    const waiting: Array<() => void> = []
    supplier.respond((_request, response) => {
      most = Math.max(
        most,
        waiting.push(() => sendJson(response, [])),
      )
      // further requests would arrive in this time
      if (waiting.length === 16)
        setTimeout(() => {
          for (const answer of waiting.splice(0)) answer()
        }, 50)
    })
    const answers = await Promise.all(
      Array.from({ length: 48 }, (_, at) => search.ask(findBrands, { article: `x${at}` })),
    )
    expect(answers.every(({ result }) => result)).toBe(true)
    expect(most).toBe(16)
  })
})

describe('many suppliers', () => {
  it('are queried in parallel: each of 32 before any has answered', async () => {
    const waiting: Array<() => void> = []
    supplier.respond(({ path }, response) => {
      waiting.push(() => sendJson(response, path.endsWith('/brands') ? [row('A')] : [row('A', { quantity: 1 })]))
      if (waiting.length === 32) for (const answer of waiting.splice(0)) answer()
    })
    const ids = storagesOf(
      ...Array.from({ length: 32 }, (_, at) => httpSupplier(supplier, { base_url: `${supplier.url}/${at}` })),
    )
    expect((await search.ask(findBrands, { article: 'OC90' })).brands).toMatchObject([
      { brand: 'A', storages: ids.map((storage_id) => ({ storage_id })) },
    ])
    const { message, parts } = await search.ask(findParts, { article: 'OC90', brands: ['A'] })
    expect(message).toBe('OK')
    expect(parts.map(({ storage_id }) => storage_id)).toEqual(ids)
  })

  it('are measured by kind, operation and outcome', async () => {
    expect(await search.metrics()).toMatch(
      /supplier_adapter_duration_seconds_count\{.*adapter="http".*operation="brands".*outcome="ok".*\} \d+/,
    )
  })
})
