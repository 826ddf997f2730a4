import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { cancelImportTask, patchPriceList, runSource } from '@partsbus/contracts/pricing-import/commands'
import {
  getImportStatistics,
  getPriceListReferences,
  getPricingOverview,
} from '@partsbus/contracts/pricing-import/overview'
import { METRICS } from '@partsbus/platform/process/injection-tokens'
import type { Metrics } from '@partsbus/platform/process/metrics'
import { priceText } from '../testing/price-text.js'
import { type PricingUnderTest, STORAGE, startPricing } from '../testing/pricing-under-test.js'

const HOUR_MS = 3_600_000
let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing?.stop())

const show = () => pricing.ask(getPricingOverview, {})

describe('figures of imports (admin.md#overview)', () => {
  it('counts the imports of the day, and names the lists whose last one failed', async () => {
    const list = await pricing.newList({ name: 'North' })
    const good = await pricing.import(list.id, priceText(3, 5))
    expect((await show()).failed).toEqual([])
    const bad = await pricing.import(list.id, 'nothing;here\n1;2\n3;4\n', 'bad.csv')
    expect(bad.status).toBe('failed')
    const figures = await show()
    expect(figures.imports).toMatchObject({
      pending: 0,
      processing: 0,
      oldest_pending_at: null,
      day: { completed: 1, failed: 1, imported: good.imported_rows },
    })
    expect(figures.imports.last.map(({ id }) => id)).toEqual([bad.id, good.id])
    expect(figures.failed).toEqual([
      {
        price_list_id: list.id,
        price_list_name: 'North',
        task_id: bad.id,
        at: bad.completed_at,
        message: bad.error_message,
      },
    ])
    expect(figures.disk?.size_bytes).toBeGreaterThan(0)
    await pricing.import(list.id, priceText(3, 5))
    expect((await show()).failed).toEqual([])
  })

  it('names the oldest import that waits', async () => {
    const list = await pricing.newList()
    await pricing.withListLocked(list.id, async () => {
      const before = Date.now()
      const id = await pricing.upload(list.id, priceText(1, 5))
      const { imports } = await show()
      expect(imports.pending).toBe(1)
      expect(Date.parse(imports.oldest_pending_at ?? '')).toBeGreaterThanOrEqual(before - 1_000)
      await pricing.ask(cancelImportTask, { id })
    })
  })

  it('shows the queue as metrics: lists that wait and for how long, not those being imported', async () => {
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const { registry } = pricing.get<Metrics>(METRICS)
    const read = async () => {
      const text = await registry.metrics()
      const value = (name: string, labels = '') =>
        Number(new RegExp(`^${name}\\{${labels}.*\\} (.+)$`, 'm').exec(text)?.[1])
      return {
        pending: value('price_import_tasks', 'status="pending"'),
        processing: value('price_import_tasks', 'status="processing"'),
        waiting: value('price_import_lists_waiting'),
        oldest: value('price_import_oldest_waiting_seconds'),
      }
    }
    const task = (_id: number, price_list_id: number, status: string, ageMs: number) => ({
      _id,
      price_list_id,
      status,
      created_at: new Date(Date.now() - ageMs),
      // no worker takes them
      not_before: new Date(Date.now() + HOUR_MS),
    })
    expect(await read()).toEqual({ pending: 0, processing: 0, waiting: 0, oldest: 0 })
    await tasks.insertMany([
      task(9_001, 801, 'processing', 2 * HOUR_MS),
      task(9_002, 801, 'pending', HOUR_MS),
      task(9_003, 802, 'pending', HOUR_MS / 2),
      task(9_004, 802, 'pending', 0),
    ])
    try {
      const { oldest, ...counts } = await read()
      expect(counts).toEqual({ pending: 3, processing: 1, waiting: 1 })
      expect(Math.round(oldest / 60)).toBe(30)
    } finally {
      await tasks.deleteMany({ _id: { $gte: 9_000 } })
    }
  })
})

// admin.md#problems
it('names the active lists with live offers', async () => {
  const list = await pricing.newList({ name: 'Live' })
  await pricing.newList({ name: 'Without a file' })
  const live = async () => (await show()).live?.filter(({ name }) => /^(Live|Without a file)$/.test(name))
  expect(await live()).toEqual([])
  await pricing.import(list.id, priceText(1, 5))
  expect(await live()).toEqual([{ id: list.id, name: 'Live', storage_id: STORAGE }])
  await pricing.ask(patchPriceList, { id: list.id, patch: { is_active: false } })
  expect(await live()).toEqual([])
})

describe('figures of sources (admin.md#overview)', () => {
  it('names a failing source with the first of its failed runs, until one does not fail', async () => {
    const source = { kind: 'url' as const, url: 'http://127.0.0.1:1/price.csv', every_minutes: 44_640 }
    const list = await pricing.newList({ name: 'South', sources: [source] })
    const [stored] = list.sources
    const run = () => pricing.ask(runSource, { id: list.id, source_id: stored?.id ?? 0 })
    await run()
    const first = (await show()).sources.failing.find(({ price_list_id }) => price_list_id === list.id)
    expect(first).toMatchObject({ price_list_name: 'South', source_id: stored?.id, kind: 'url' })
    expect(first?.message).not.toBe('')
    const failures = first?.failures ?? 0
    await run()
    const second = (await show()).sources.failing.find(({ price_list_id }) => price_list_id === list.id)
    expect(second).toMatchObject({ since: first?.since, failures: failures + 1 })
    expect((await show()).sources.active).toBe(1)
  })

  it('names the lists whose passwords cannot be decrypted', async () => {
    const source = { kind: 'url' as const, url: 'http://127.0.0.1:1/x.csv', is_active: false, password: 's3cret' }
    const list = await pricing.newList({ name: 'Sealed', sources: [source] })
    expect((await show()).unreadable).toEqual([])
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: list.id }, { $set: { 'sources.0.sealed_password': 'v2:00000000:a:b:c' } })
    expect((await show()).unreadable).toEqual([{ id: list.id, name: 'Sealed' }])
  })
})

it('names all lists with the file of their last import (admin.md#names)', async () => {
  const list = await pricing.newList({ name: 'Files', is_active: true })
  await pricing.import(list.id, priceText(1, 5), 'first.csv')
  await pricing.import(list.id, priceText(2, 5), 'second.csv')
  const empty = await pricing.newList({ name: 'Empty', is_active: false })
  const { price_lists } = await pricing.ask(getPriceListReferences, {})
  expect(price_lists).toEqual(
    expect.arrayContaining([
      { id: list.id, name: 'Files', storage_id: STORAGE, is_active: true, last_file_name: 'second.csv' },
      { id: empty.id, name: 'Empty', storage_id: STORAGE, is_active: false, last_file_name: null },
    ]),
  )
})

describe('statistics of imports (admin.md#statistics)', () => {
  it('adds up the imports that ended in each hour and day', async () => {
    const list = await pricing.newList({ name: 'Counted' })
    const ids: number[] = []
    for (const rows of [1, 2, 3]) ids.push((await pricing.import(list.id, priceText(rows, 5))).id)
    const at = Date.UTC(2026, 0, 5, 10)
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const times = [at + 60_000, at + HOUR_MS - 1, at + HOUR_MS]
    for (const [index, time] of times.entries()) {
      const $set = {
        completed_at: new Date(time),
        started_at: new Date(time - 1_500),
        ...(index === 1 && { superseded: true }),
        ...(index === 2 && { status: 'failed' }),
      }
      await tasks.updateOne({ _id: ids[index] ?? 0 }, { $set })
    }
    const read = async (step: 'hour' | 'day', to = at + 2 * HOUR_MS) =>
      (
        await pricing.ask(getImportStatistics, {
          from: new Date(at).toISOString(),
          to: new Date(to).toISOString(),
          step,
          price_list_id: list.id,
        })
      ).points
    const none = { superseded: 0, failed: 0, completed: 0, skipped: 0 }
    expect(await read('hour')).toEqual([
      {
        at: '2026-01-05T10:00:00.000Z',
        ...none,
        completed: 2,
        superseded: 1,
        rows: 3,
        imported: 3,
        seconds: 3,
      },
      { at: '2026-01-05T11:00:00.000Z', ...none, failed: 1, rows: 3, imported: 3, seconds: 1.5 },
    ])
    expect(await read('day')).toEqual([
      {
        at: '2026-01-05T00:00:00.000Z',
        ...none,
        completed: 2,
        failed: 1,
        superseded: 1,
        rows: 6,
        imported: 6,
        seconds: 4.5,
      },
    ])
    expect(await read('hour', at + HOUR_MS)).toHaveLength(1)
  })
})
