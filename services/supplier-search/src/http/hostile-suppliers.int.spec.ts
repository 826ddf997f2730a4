import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { findBrands, findParts } from '@partsbus/contracts/supplier-search/commands'
import type { Supplier } from '@partsbus/contracts/stock/storage'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { httpSupplier, type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'

let search: SearchUnderTest
let good: FakeSupplier
let bad: FakeSupplier
beforeAll(async () => {
  search = await startSearchUnderTest()
  good = await startFakeSupplier()
  bad = await startFakeSupplier()
})
afterAll(async () => {
  await search.stop()
  await good.close()
  await bad.close()
})

const row = { brand: 'Knecht', article: 'OC90', name: 'Oil filter' }
const LIMIT = 300
let nextId = 1

beforeEach(() => {
  bad.requests.length = 0
  good.offer({ brands: [row], parts: [{ ...row, quantity: 1 }] })
  // new ids: a breaker never carries over from one test to the next
  search.world.storages = [
    { id: nextId++, name: 'Good', supplier: httpSupplier(good) },
    { id: nextId++, name: 'Bad', supplier: httpSupplier(bad, { timeout_ms: LIMIT }) },
  ]
})

const drip = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

describe('a supplier that misbehaves does not affect the others', () => {
  it.each<[string, 'timeout' | 'error', (response: ServerResponse) => void]>([
    ['hangs', 'timeout', () => undefined],
    ['drips', 'timeout', drip],
    ['resets the connection', 'error', (response) => response.destroy()],
    [
      'resets in the middle',
      'error',
      (response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('[', () => response.destroy())
      },
    ],
    ['answers 500', 'error', (response) => sendJson(response, [row], 500)],
    ['answers 401', 'error', (response) => sendJson(response, [row], 401)],
    [
      'redirects',
      'error',
      (response) => {
        response.writeHead(302, { location: good.url }).end()
      },
    ],
    [
      'answers bad JSON',
      'error',
      (response) => {
        response.end('[{"brand":')
      },
    ],
    [
      'answers in another encoding',
      'error',
      (response) => {
        response.end(Buffer.from([0x5b, 0x22, 0xca, 0xed, 0x22, 0x5d]))
      },
    ],
    ['answers an object', 'error', (response) => sendJson(response, { brands: [row] })],
    ['answers null', 'error', (response) => sendJson(response, null)],
    [
      'answers nothing',
      'error',
      (response) => {
        response.end()
      },
    ],
    [
      'answers 10 MB',
      'error',
      (response) =>
        sendJson(
          response,
          Array.from({ length: 10_000 }, () => ({ ...row, name: 'x'.repeat(1_000) })),
        ),
    ],
    [
      'streams without end',
      'error',
      (response) => {
        response.writeHead(200)
        const write = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
        }
        response.on('drain', write)
        write()
      },
    ],
  ])('%s', async (_what, outcome, answer) => {
    bad.respond((_request, response) => answer(response))
    // only a limit that is meant to be reached is short: this machine may be busy
    if (outcome === 'error')
      search.world.storages = search.world.storages.map((each) => ({
        ...each,
        supplier: { ...each.supplier, timeout_ms: 4_000 } as Supplier,
      }))
    const [first, second] = search.world.storages.map(({ id }) => id)
    const expected = {
      result: true,
      message: 'Partial result: 1 of 2 suppliers did not answer.',
      suppliers: `${first}=ok,${second}=${outcome}`,
    }
    const started = performance.now()
    expect(await search.ask(findBrands, { article: 'oc-90' })).toMatchObject({
      ...expected,
      brands: [{ storages: [{ storage_id: first }] }],
    })
    expect(await search.ask(findParts, { article: 'oc-90', brands: ['KNECHT'] })).toMatchObject({
      ...expected,
      parts: [{ storage_id: first }],
    })
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('closes the connections to suppliers that hang, drip or stop midway, at the limit', async () => {
    const answers: Array<(response: ServerResponse) => void> = [
      () => undefined,
      drip,
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('[')
      },
    ]
    const slow = await Promise.all(
      answers.map(async (answer) => {
        const fake = await startFakeSupplier()
        fake.respond((_request, response) => answer(response))
        return fake
      }),
    )
    search.world.storages = slow.map((fake) => ({
      id: nextId++,
      name: 'Slow',
      supplier: httpSupplier(fake, { timeout_ms: LIMIT }),
    }))
    await Promise.all(Array.from({ length: 4 }, (_, at) => search.ask(findBrands, { article: `oc-${at}` })))
    expect(await waitUntil(() => slow.every((fake) => fake.aborted() === 4), { withinMs: 20_000, everyMs: 10 })).toBe(
      true,
    )
    await waitUntil(() => slow.every((fake) => fake.openConnections() === 0), { withinMs: 20_000, everyMs: 50 })
    expect(slow.map((fake) => fake.openConnections())).toEqual([0, 0, 0])
    for (const fake of slow) await fake.close()
  })

  it('answers a caller with little time before it stops waiting', async () => {
    bad.respond(() => undefined)
    search.world.storages = search.world.storages.map((storage) => ({
      ...storage,
      supplier: { ...storage.supplier, timeout_ms: 10_000 } as Supplier,
    }))
    const found = await search.ask(findBrands, { article: 'oc-90' }, { timeoutMs: 3_000 })
    expect(found.suppliers).toMatch(/^\d+=ok,\d+=timeout$/)
  })

  it('does not grow in memory under many large replies', async () => {
    const large = Buffer.alloc(10_000_000, 0x20)
    // without a content-length, so that it has to be counted
    bad.respond((_request, response) => {
      response.writeHead(200).end(large)
    })
    const before = process.memoryUsage().rss
    for (let round = 0; round < 10; round += 1) {
      search.world.storages = [{ id: nextId++, name: 'Bad', supplier: httpSupplier(bad) }]
      const found = await Promise.all(
        Array.from({ length: 5 }, (_, at) => search.ask(findBrands, { article: `x${at}` })),
      )
      expect(found.map(({ message }) => message)).toEqual(Array(5).fill('No supplier answered.'))
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000)
  })
})

describe('rows of a supplier (bad-inputs.md#input-62)', () => {
  const answerParts = async (text: string) => {
    bad.respond((_request, response) => {
      response.end(text)
    })
    search.world.storages.shift()
    return search.ask(findParts, { article: 'OC90', brands: ['Knecht'] })
  }
  const part = (more: string) => `{"brand":"Knecht","article":"OC90","name":"n",${more}}`
  const kept = (more: object) => [
    { brand: 'KNECHT', article: 'OC90', name: 'n', storage_id: expect.any(Number), storage_name: 'Bad', ...more },
  ]

  it.each([
    '"quantity":"5"',
    '"quantity":0',
    '"quantity":-1',
    '"quantity":1.5',
    '"quantity":null',
    '"quantity":NaN',
    '"quantity":1e400',
    '"quantity":true',
    '"price":1',
    '"__proto__":{"quantity":5}',
  ])('drops a row with %s and keeps the others', async (more) => {
    const found = await answerParts(`[${part(more)},${part('"quantity":5')},null,7,"x",[],{}]`)
    expect(found).toMatchObject({ result: true, message: 'OK' })
    expect(found.parts).toEqual(kept({ quantity: 5 }))
  })

  it.each<[string, object]>([
    ['"price":-1', {}],
    ['"price":"12"', {}],
    ['"price":NaN', {}],
    ['"price":-Infinity', {}],
    ['"price":1e999', {}],
    ['"price":null', {}],
    ['"price":0', { price: 0 }],
    ['"price":12.345', { price: 12.35 }],
    ['"price":1.005', { price: 1.01 }],
    ['"price":1e-9', {}],
    ['"delivery_days":-1', {}],
    ['"delivery_days":1.5', {}],
    ['"delivery_days":"2"', {}],
    ['"delivery_days":0', { delivery_days: 0 }],
    ['"delivery_days":3', { delivery_days: 3 }],
    ['"purchase_price":7,"markup":2,"supplier_id":"secret"', {}],
  ])('reads %s as %j', async (more, expected) => {
    expect((await answerParts(`[${part(`"quantity":5,${more}`)}]`)).parts).toEqual(kept({ quantity: 5, ...expected }))
  })

  it('leaves out other articles and brands than the requested ones', async () => {
    const rows = [
      { ...row, quantity: 1 },
      { ...row, article: 'OC91', quantity: 1 },
      { ...row, brand: 'Mann', quantity: 1 },
    ]
    expect((await answerParts(JSON.stringify(rows))).parts).toHaveLength(1)
  })

  it('of brands gives those only that get-parts accepts (partners.md#parts)', async () => {
    const brands = ['Kn\u0000echt', 'Mann\ud800', '\udc00Bosch', 'Mahle'].map((brand) => ({ ...row, brand }))
    bad.offer({ brands, parts: [{ ...row, brand: 'Mahle', quantity: 2 }] })
    const found = await search.ask(findBrands, { article: 'OC90' })
    expect(found.brands.map(({ brand }) => brand)).toEqual(['KNECHT', 'MAHLE'])
    const { parts } = await search.ask(findParts, { article: 'OC90', brands: found.brands.map(({ brand }) => brand) })
    expect(parts.map(({ quantity }) => quantity).sort()).toEqual([1, 2])
  })

  it('ignores keys like __proto__', async () => {
    const found = await answerParts(
      '[{"__proto__":{"quantity":5,"admin":true},"brand":"Knecht","article":"OC90","name":"n","quantity":5,' +
        '"constructor":{"prototype":{"admin":true}}}]',
    )
    expect(found.parts).toEqual(kept({ quantity: 5 }))
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})
