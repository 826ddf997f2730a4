import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  cancelImportTask,
  listOffers,
  listPriceLists,
  patchPriceList,
  rollbackVersion,
} from '@partsbus/contracts/pricing-import/commands'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { CSV_HEADER, newArticle } from '../testing/price-text.js'
import { type PricingUnderTest, startPricing, STORAGE } from '../testing/pricing-under-test.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing?.stop())

const good = (article = newArticle()) => `${CSV_HEADER}BOSCH;${article};Pads;4;100\n`
const list = async (wanted: object) => pricing.ask(listPriceLists, { page: 1, per_page: 100, ...wanted })
const names = async (wanted: object) => (await list(wanted)).data.map(({ name }) => name)
const row = async (id: number) => (await list({})).data.find((found) => found.id === id)
const source = { kind: 'url', url: 'https://supplier.example/price.csv' } as PriceListSource
const setLastRun = (id: number, minutesAgo: number, outcome: string) =>
  pricing.db.collection<{ _id: number }>('price_lists').updateOne(
    { _id: id },
    {
      $set: {
        'sources.0.state.last_run': {
          at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
          outcome,
          message: '',
          task_id: null,
        },
      },
    },
  )

describe('the list of price lists (admin.md#price-lists-list)', () => {
  it('is filtered by a part of the name, the storage and the state', async () => {
    await pricing.newList({ name: 'Rossko (north) 100%' })
    await pricing.newList({ name: 'ROSSKO south', is_active: false })
    expect(await names({ q: 'rossko' })).toEqual(['Rossko (north) 100%', 'ROSSKO south'])
    expect(await names({ q: '(NORTH)' })).toEqual(['Rossko (north) 100%'])
    expect(await names({ q: '.*' })).toEqual([])
    expect(await names({ q: 'rossko', is_active: false })).toEqual(['ROSSKO south'])
    expect(await names({ q: 'rossko', storage_id: STORAGE, is_active: true })).toHaveLength(1)
    expect(await names({ storage_id: STORAGE + 1 })).toEqual([])
    expect(await list({ q: 'rossko', per_page: 1, page: 2 })).toMatchObject({
      total: 2,
      page: 2,
      data: [{ name: 'ROSSKO south' }],
    })
  })

  it('shows the live version, since when it is live, and the newest import', async () => {
    const { id } = await pricing.newList()
    expect(await row(id)).toMatchObject({ live: null, last_task: null, next_run_at: null })
    const first = await pricing.import(id, good())
    const second = await pricing.import(id, `${good()}BOSCH;${newArticle()};x;1;1\n`)
    const failed = await pricing.import(id, CSV_HEADER)
    const before = await row(id)
    expect(before).toMatchObject({
      live: { version: second.id, rows: 2 },
      last_task: {
        id: failed.id,
        status: 'failed',
        completed_at: failed.completed_at,
        superseded: false,
        error_code: 'NO_ROWS',
      },
    })
    await pricing.ask(rollbackVersion, { id })
    const after = await row(id)
    expect(after?.live).toMatchObject({ version: first.id, rows: 1 })
    expect(Date.parse(after?.live?.since ?? '')).toBeGreaterThan(Date.parse(before?.live?.since ?? ''))
  })

  it('shows the time of the next fetch of an active source of an active list', async () => {
    const { id } = await pricing.newList({
      sources: [
        { ...source, every_minutes: 30 },
        { ...source, is_active: false },
      ],
    })
    const minutes = async () => Math.round((Date.parse((await row(id))?.next_run_at ?? '') - Date.now()) / 60_000)
    expect(await minutes()).toBeCloseTo(0)
    await setLastRun(id, 10, 'unchanged')
    expect(await minutes()).toBeCloseTo(20)
    await setLastRun(id, 40, 'unchanged')
    expect(await minutes()).toBeCloseTo(0)
    await pricing.ask(patchPriceList, { id, patch: { is_active: false } })
    expect((await row(id))?.next_run_at).toBeNull()
  })

  it('has with problem=true the lists whose newest import, or a source, failed', async () => {
    const mine = { q: 'PROBLEM', problem: true }
    const [well, failed, cancelled, broken] = await Promise.all(
      ['well', 'failed', 'cancelled', 'source'].map((name) =>
        pricing.newList({ name: `problem ${name}`, ...(name === 'source' && { sources: [source] }) }),
      ),
    )
    await pricing.import(well?.id ?? 0, good())
    await pricing.import(failed?.id ?? 0, CSV_HEADER)
    await pricing.withListLocked(cancelled?.id ?? 0, async () => {
      await pricing.ask(cancelImportTask, { id: await pricing.upload(cancelled?.id ?? 0, good()) })
    })
    await setLastRun(broken?.id ?? 0, 1, 'failed')
    expect((await names(mine)).toSorted()).toEqual(['problem failed', 'problem source'])
    expect(await list({ ...mine, page: 2, per_page: 1 })).toMatchObject({ total: 2, data: [{}] })
    await pricing.import(failed?.id ?? 0, good())
    expect(await names(mine)).toEqual(['problem source'])
  })
})

describe('the offers of a price list (admin.md#price-list-offers)', () => {
  const offers = (id: number, wanted: object = {}) => pricing.ask(listOffers, { id, page: 1, per_page: 50, ...wanted })

  it('are those of the live version, by price, article and brand in any spelling, also without stock', async () => {
    const { id } = await pricing.newList({ markup_percent: 10 })
    expect(await offers(id)).toEqual({
      data: [],
      total: 0,
      page: 1,
      per_page: 50,
      version: null,
      version_number: null,
      next: null,
    })
    await pricing.import(id, good())
    const text = `${CSV_HEADER}BOSCH;0 986-X;Pads;0;100\nMANN;0986X;Filter;7;50\nMANN;W 712;Filter;7;\n`
    const task = await pricing.import(id, text)
    expect(await offers(id)).toMatchObject({
      version: task.id,
      total: 3,
      data: [
        { row: 2, brand: 'BOSCH', article: '0 986-X', name: 'Pads', quantity: 0, price: 110, delivery_days: null },
        { row: 3, brand: 'MANN' },
        { row: 4, price: null },
      ],
    })
    expect(await offers(id, { article: '0986 x' })).toMatchObject({ total: 2, data: [{ row: 2 }, { row: 3 }] })
    expect(await offers(id, { article: '0986x', brand: 'mann' })).toMatchObject({ total: 1, data: [{ row: 3 }] })
    expect(await offers(id, { brand: 'MANN', per_page: 1, page: 2 })).toMatchObject({ total: 2, data: [{ row: 4 }] })
    expect(await offers(id, { price_from: 55, price_to: 110 })).toMatchObject({
      total: 2,
      data: [{ row: 2 }, { row: 3 }],
    })
    expect(await offers(id, { price_from: 55.01 })).toMatchObject({ total: 1, data: [{ row: 2 }] })
    expect(await offers(id, { price_to: 109.99 })).toMatchObject({ total: 1, data: [{ row: 3 }] })
    const both = { article: '0986x', brand: 'Bosch' }
    expect(await offers(id, { ...both, price_from: 110 })).toMatchObject({ total: 1, data: [{ row: 2 }] })
    expect(await offers(id, { ...both, price_from: 111 })).toMatchObject({ total: 0, data: [] })
    expect(await offers(id, { article: '???' })).toMatchObject({ total: 0, data: [] })
    await expect(offers(999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of one version are read page by page, also when another one goes live meanwhile', async () => {
    const { id } = await pricing.newList()
    const articles = Array.from({ length: 7 }, () => newArticle())
    const text = (price: number) => `${CSV_HEADER}${articles.map((one) => `BOSCH;${one};x;1;${price}`).join('\n')}\n`
    await pricing.import(id, text(1))
    const first = await offers(id, { per_page: 3 })
    await pricing.import(id, text(2))
    const version = first.version ?? 0
    const second = await offers(id, { per_page: 3, version, after: first.next })
    const third = await offers(id, { per_page: 3, version, after: second.next })
    const all = [...first.data, ...second.data, ...third.data]
    expect(all.map(({ article, price }) => [article, price])).toEqual(articles.map((one) => [one, 1]))
    expect(await offers(id, { version, after: third.next })).toMatchObject({ data: [], next: null })
    await pricing.import(id, text(3))
    await pricing.import(id, text(4))
    await expect(offers(id, { version })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('that a merge copied have no row', async () => {
    const { id } = await pricing.newList({ mode: 'merge' })
    await pricing.import(id, good('ONE'))
    await pricing.import(id, good('TWO'))
    expect(await offers(id)).toMatchObject({
      data: [
        { article: 'TWO', row: 2 },
        { article: 'ONE', row: null },
      ],
      total: 2,
    })
  })
})
