import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { findParts } from '@partsbus/contracts/supplier-search/commands'
import { cpuMs } from '@partsbus/test-kit/durations'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { httpSupplier, type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'

let search: SearchUnderTest
let huge: FakeSupplier
let small: FakeSupplier
beforeAll(async () => {
  search = await startSearchUnderTest()
  huge = await startFakeSupplier()
  small = await startFakeSupplier()
  small.offer({ parts: [{ brand: 'Knecht', article: 'OC90', name: 'Oil filter', quantity: 1 }] })
  search.world.storages = [
    { id: 1, name: 'Huge', supplier: httpSupplier(huge, { dialect: 'abcp', cache_seconds: 60, timeout_ms: 10_000 }) },
    { id: 2, name: 'Small', supplier: httpSupplier(small) },
  ]
})
afterAll(async () => {
  await search.stop()
  await huge.close()
  await small.close()
})

/** 1.96 MB of offers that differ from those of any other brand. */
function hugeReply(brand: string): Buffer {
  const rows: string[] = []
  let size = 2
  for (let at = 0; size < 1_960_000; at += 1) {
    const row = JSON.stringify({ brand, number: 'OC90', description: `d${at}`, availability: 1, price: at })
    rows.push(row)
    size += row.length + 1
  }
  return Buffer.from(`[${rows.slice(0, -1).join(',')}]`)
}

const brands = Array.from({ length: 60 }, (_, at) => `B${at}`)

/** Answers each brand with 1.96 MB. */
function answerHugely(): void {
  const replies = new Map(brands.map((brand) => [brand, hugeReply(brand)]))
  huge.respond(({ query }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(replies.get(query['brand'] ?? ''))
  })
}

/**
 * Of queries sent one after the other until `isOver`: the longest, and the most processor time during one, which does
 * not depend on what else the machine does.
 */
async function slowestMs(isOver: () => boolean): Promise<{ wall: number; processor: number }> {
  const slowest = { wall: 0, processor: 0 }
  while (!isOver()) {
    const started = performance.now()
    const ms = await cpuMs(async () => {
      const { message } = await search.ask(findParts, { article: 'OC90', brands: ['Knecht'] }, { storages: [2] })
      expect(message).toBe('OK')
    })
    slowest.wall = Math.max(slowest.wall, performance.now() - started)
    slowest.processor = Math.max(slowest.processor, ms)
  }
  return slowest
}

// rules.md#suppliers-large
it('answers others at once while a supplier answers each spelling with 2 MB, within bounded memory', async () => {
  answerHugely()
  const before = process.memoryUsage().rss
  const questions = Array.from({ length: 2 }, (_, at) => [...brands.slice(at), ...brands.slice(0, at)])
  let answered = 0
  const large = Promise.all(
    questions.map(async (each) => {
      const found = await search.ask(findParts, { article: 'OC90', brands: each }, { storages: [1] })
      answered += 1
      return found
    }),
  )
  const slowest = await slowestMs(() => answered === questions.length)
  for (const { suppliers, parts } of await large) {
    expect(suppliers).toBe('1=partial')
    expect(parts).toHaveLength(5_000)
  }
  expect(slowest.processor).toBeLessThan(2_000)
  expect(slowest.wall).toBeLessThan(5_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000)
})

it('asks for no further spelling when the answers have reached their limit', async () => {
  huge.requests.length = 0
  const replies = new Map(brands.map((brand) => [brand, hugeReply(brand)]))
  let waiting: Array<() => void> = []
  // in turn, so that the first ones are complete before others arrive
  huge.respond(({ query }, response) => {
    waiting.push(() => response.end(replies.get(query['brand'] ?? '')))
    if (waiting.length < 16) return
    for (const answer of waiting) answer()
    waiting = []
  })
  const found = await search.ask(findParts, { article: 'OC-90', brands }, { storages: [1] })
  expect(found).toMatchObject({ suppliers: '1=partial', message: 'Partial result: 1 of 1 suppliers did not answer.' })
  expect(huge.requests).toHaveLength(16)
})

it('asks the supplier again when the large answers are over', async () => {
  huge.respond((_request, response) =>
    sendJson(response, [{ brand: 'B1', number: 'OC90', description: 'n', availability: 2, price: 3 }]),
  )
  const found = await search.ask(findParts, { article: 'oc 90', brands }, { storages: [1] })
  expect(found).toMatchObject({ suppliers: '1=ok', parts: [{ brand: 'B1', quantity: 2, price: 3 }] })
})
