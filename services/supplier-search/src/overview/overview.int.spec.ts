import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findBrands } from '@partsbus/contracts/supplier-search/commands'
import { getSearchOverview, getSupplierStatistics } from '@partsbus/contracts/supplier-search/overview'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { httpSupplier, type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'

let search: SearchUnderTest
let supplier: FakeSupplier
beforeAll(async () => {
  search = await startSearchUnderTest()
  supplier = await startFakeSupplier()
})
afterAll(async () => {
  await search?.stop()
  await supplier?.close()
})

const figuresOf = async (id: number) =>
  (await search.ask(getSearchOverview, {})).suppliers.find(({ storage_id }) => storage_id === id)

async function ask(id: number, times: number, fields: Parameters<typeof httpSupplier>[1] = {}): Promise<void> {
  search.world.storages = [{ id, name: `Supplier ${id}`, supplier: httpSupplier(supplier, fields) }]
  for (let time = 0; time < times; time += 1) await search.ask(findBrands, { article: 'A1' })
}

describe('the suppliers of the last 15 minutes (admin.md#overview)', () => {
  it('are none before the first query', async () => {
    expect(await search.ask(getSearchOverview, {})).toEqual({ suppliers: [] })
  })

  it('count what they answered', async () => {
    await ask(1, 3, { cache_seconds: 60 })
    expect(await figuresOf(1)).toEqual({
      storage_id: 1,
      name: 'Supplier 1',
      kind: 'http',
      state: 'ok',
      asked: 3,
      failed: 0,
      p95_ms: expect.any(Number),
      last_error: null,
      last_ok_at: expect.any(String),
      failing_since: null,
    })
  })

  it('are failing, then cut off, then ok again', async () => {
    supplier.respond((_request, response) => sendJson(response, {}, 500))
    await ask(2, 2)
    const failing = await figuresOf(2)
    expect(failing).toMatchObject({ state: 'failing', asked: 2, failed: 2, last_ok_at: null })
    expect(failing?.last_error).toContain('500')
    await ask(2, 4)
    expect(await figuresOf(2)).toMatchObject({
      state: 'cut-off',
      asked: 6,
      failed: 6,
      failing_since: failing?.failing_since,
      last_error: failing?.last_error,
    })
    supplier.offer({ brands: [] })
    // another configuration has a circuit breaker of its own
    await ask(2, 1, { timeout_ms: 3_999 })
    expect(await figuresOf(2)).toMatchObject({ state: 'ok', asked: 7, failed: 6, failing_since: null })
  })

  it('are quiet when their last answer is older', async () => {
    await search.db.collection('supplier_statistics').updateMany({ subject: '2' }, { $set: { at: new Date(0) } })
    expect(await figuresOf(2)).toMatchObject({ state: 'quiet', asked: 0, p95_ms: null })
  })

  it('survive a restart of the process', async () => {
    await ask(1, 1, { cache_seconds: 0 })
    await search.restart()
    expect(await figuresOf(1)).toMatchObject({ asked: 4, failed: 0 })
  })
})

describe('statistics of suppliers (admin.md#statistics)', () => {
  it('add up the answers of a storage by hour and day', async () => {
    const hour = (at: string, counts: object, ms: object) => ({
      _id: `7 ${at}`,
      subject: '7',
      at: new Date(at),
      counts,
      ms,
    })
    await search.db
      .collection<{ _id: string }>('supplier_statistics')
      .insertMany([
        hour('2026-01-05T10:00:00.000Z', { ok: 3, cached: 1, timeout: 1 }, { 12: 2, 20: 1 }),
        hour('2026-01-05T10:55:00.000Z', { ok: 1, error: 2 }, { 12: 3 }),
        hour('2026-01-05T11:00:00.000Z', { cut_off: 4 }, {}),
      ])
    const read = async (step: 'hour' | 'day', storage_id = 7) =>
      (
        await search.ask(getSupplierStatistics, {
          from: '2026-01-05T00:00:00.000Z',
          to: '2026-01-06T00:00:00.000Z',
          step,
          storage_id,
        })
      ).points
    expect(await read('hour')).toEqual([
      {
        at: '2026-01-05T10:00:00.000Z',
        storage_id: 7,
        asked: 7,
        ok: 4,
        timeout: 1,
        error: 2,
        cut_off: 0,
        cached: 1,
        p50_ms: expect.any(Number),
        p95_ms: expect.any(Number),
      },
      {
        at: '2026-01-05T11:00:00.000Z',
        storage_id: 7,
        asked: 4,
        ok: 0,
        timeout: 0,
        error: 0,
        cut_off: 4,
        cached: 0,
        p50_ms: null,
        p95_ms: null,
      },
    ])
    expect(await read('day')).toMatchObject([{ at: '2026-01-05T00:00:00.000Z', asked: 11, cut_off: 4 }])
    expect(await read('day', 8)).toEqual([])
  })
})
