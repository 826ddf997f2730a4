import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import {
  compareVersions,
  exportChanges,
  readExport,
  rollbackVersion,
} from '@partsbus/contracts/pricing-import/commands'
import type { VersionChange } from '@partsbus/contracts/pricing-import/version-change'
import { BusClient } from '@partsbus/platform/bus/client'
import { createMetrics } from '@partsbus/platform/process/metrics'
import exceljs from 'exceljs'
import { OfferStore } from '../offers/offer-store.js'
import { CSV_HEADER } from '../testing/price-text.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { Comparisons, MAX_OFFERS } from './comparisons.js'

let pricing: PricingUnderTest
let calls: BusClient
beforeAll(async () => {
  pricing = await startPricing()
  calls = new BusClient(pricing.connection, createMetrics('test'))
})
afterAll(() => pricing?.stop())

const fileWith = (...rows: string[]): string => CSV_HEADER + rows.map((row) => `${row}\n`).join('')
const BEFORE = fileWith(
  ...['BOSCH;0 1;Pads;4;100', 'BOSCH;0 2;Pads;4;100', 'BOSCH;0 3;Pads;4;100'],
  ...['MANN;W 7;Filter;4;', 'MANN;W 8;Filter;4;5'],
)
const AFTER = fileWith(
  ...['Bosch;02;Pads;4;105', 'BOSCH;0 1;Pads;4;99.5'],
  ...['MANN;W7;Filter;4;7', 'MANN;W9;Filter;4;5', 'MANN;W8;Filter;4;5'],
)

const wanted = { page: 1, per_page: 50 }
const compare = (id: number, query: object = {}) => pricing.ask(compareVersions, { id, ...wanted, ...query })
async function versionsOf(...files: string[]): Promise<{ id: number; versions: number[] }> {
  const { id } = await pricing.newList()
  const versions: number[] = []
  for (const file of files) versions.push((await pricing.import(id, file)).id)
  return { id, versions }
}
const shown = ({ data }: { data: VersionChange[] }) => data.map((row) => `${row.kind} ${row.article}`)
async function fileOf(body: {
  id: number
  format: 'csv' | 'xlsx'
  kind?: 'dearer'
  article?: string
}): Promise<Buffer> {
  const opened = await calls.request(exportChanges, body, { timeoutMs: 20_000 })
  expect(opened.file_name).toMatch(new RegExp(`^changes-${body.id}-v\\d+-v\\d+\\.${body.format}$`))
  const chunks: Uint8Array[] = []
  const request = Buffer.from(JSON.stringify({ export_id: opened.export_id }))
  for (;;) {
    const chunk = await calls.forward(readExport, request, { process: opened.process, timeoutMs: 20_000 })
    if (chunk.length === 0) return Buffer.concat(chunks)
    chunks.push(chunk)
  }
}

// admin.md#version-changes
describe('two versions of a list', () => {
  it('are compared by article and brand in any spelling: the live one and the one before', async () => {
    const { id, versions } = await versionsOf(BEFORE, AFTER)
    const changes = await compare(id)
    expect(changes).toMatchObject({
      ...{ from: versions[0], to: versions[1], total: 5, page: 1, per_page: 50 },
      counts: { added: 1, gone: 1, dearer: 1, cheaper: 1, price_added: 1, price_gone: 0, other: 0, unchanged: 1 },
    })
    expect(shown(changes)).toEqual(['dearer 02', 'cheaper 0 1', 'price_added W7', 'added W9', 'gone 0 3'])
    expect(changes.data[0]).toMatchObject({
      price_percent: 5,
      old: { price: 100, row: 3 },
      new: { price: 105, row: 2 },
    })
    expect(changes.data[2]).toMatchObject({ changed: ['price'], price_percent: null, old: { price: null } })
  })

  it('are filtered by kind, article and brand, and read page by page', async () => {
    const { id } = await versionsOf(BEFORE, AFTER)
    expect(shown(await compare(id, { kind: 'gone' }))).toEqual(['gone 0 3'])
    const ofBrand = await compare(id, { brand: 'mann' })
    expect([ofBrand.total, ofBrand.counts.unchanged]).toEqual([2, 1])
    expect(shown(await compare(id, { article: 'w-7', brand: 'MANN' }))).toEqual(['price_added W7'])
    expect(await compare(id, { article: '???' })).toMatchObject({ total: 0, data: [] })
    expect(shown(await compare(id, { per_page: 2, page: 2 }))).toEqual(['price_added W7', 'added W9'])
    expect(shown(await compare(id, { per_page: 2, page: 4 }))).toEqual([])
  })

  it('may be any that are kept, in both directions, also after a rollback', async () => {
    const { id, versions } = await versionsOf(BEFORE, AFTER, BEFORE)
    const [first, second, third] = versions
    expect(await compare(id, { from: first, to: third })).toMatchObject({ total: 0, counts: { unchanged: 5 } })
    expect(shown(await compare(id, { from: second, to: first, kind: 'added' }))).toEqual(['added 0 3'])
    expect(await compare(id, { to: second })).toMatchObject({ from: first, to: second })
    await pricing.ask(rollbackVersion, { id })
    expect(await compare(id)).toMatchObject({ from: first, to: second })
  })

  it('are CONFLICT when one is no longer kept, or none is before', async () => {
    const { id, versions } = await versionsOf(BEFORE)
    await expect(compare(id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'There is no version before the active one.',
    })
    const [first] = versions
    await expect(compare(id, { to: first })).rejects.toMatchObject({
      message: 'There is no version before the one that was named.',
    })
    for (const file of [AFTER, BEFORE, AFTER]) await pricing.import(id, file)
    for (const query of [{ from: first }, { to: first }])
      await expect(compare(id, query)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `Version ${first} is no longer kept.`,
      })
    await expect(compare(999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('are CONFLICT when a row was deleted since', async () => {
    const { id, versions } = await versionsOf(BEFORE, AFTER)
    await compare(id)
    await pricing.get(OfferStore).delete(versions[0] ?? 0)
    await expect(compare(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('of which a merge copied rows have no row there', async () => {
    const { id } = await pricing.newList({ mode: 'merge' })
    await pricing.import(id, BEFORE)
    await pricing.import(id, `${CSV_HEADER}BOSCH;0 1;Pads;4;120\n`)
    const changes = await compare(id)
    expect(changes.counts).toMatchObject({ added: 0, gone: 0, dearer: 1, cheaper: 0, other: 0, unchanged: 4 })
    const back = await compare(id, { from: changes.to, to: changes.from })
    expect(shown(back)).toEqual(['cheaper 0 1'])
    expect(back.data[0]?.new?.row).toBe(2)
  })

  // admin.md#page-fits
  it('of which a page has the longest texts fit one message', async () => {
    const rows = (name: string) =>
      Array.from({ length: 500 }, (_, at) => `BOSCH;${at};${name.repeat(1_000)};1;1\n`).join('')
    const { id } = await versionsOf(CSV_HEADER + rows('ж'), CSV_HEADER + rows('щ'))
    const changes = await compare(id, { per_page: 500 })
    expect(changes.data).toHaveLength(500)
    expect(Buffer.byteLength(JSON.stringify(changes))).toBeLessThan(MAX_BODY_BYTES)
  })

  it('share one comparison, which reads every row once', async () => {
    const versions = [3, 4].map((version) => ({ version: version * 1_000_000, rows: 10_000, created_at: new Date() }))
    const offers = pricing.get(OfferStore)
    for (const { version, rows } of versions)
      await offers.place(
        version,
        Array.from({ length: rows }, (_, at) => ({ place: at + 1, offer: offer(at, version) })),
      )
    const asked: number[] = []
    const counting = new Proxy(offers, {
      get: (store, name: keyof OfferStore) =>
        name === 'differing'
          ? (...args: Parameters<OfferStore['differing']>) => {
              asked.push(args[0])
              return store.differing(...args)
            }
          : (store[name] as () => unknown).bind(store),
    })
    const comparisons = new Comparisons(counting)
    const [older, newer] = versions as [(typeof versions)[0], (typeof versions)[0]]
    const get = () => comparisons.get({ older, newer, filter: {}, waitMs: 20_000, assertKept: () => Promise.resolve() })
    const [one, other] = await Promise.all([get(), get()])
    expect(one).toBe(other)
    expect(one?.counts).toMatchObject({ dearer: 10_000, added: 0, gone: 0 })
    expect(await get()).toBe(one)
    // of 4,000 places
    expect(asked).toHaveLength(6)
  })

  it('are not compared beyond 2,000,000 offers', async () => {
    const version = { version: 5, rows: MAX_OFFERS + 1, created_at: new Date() }
    await expect(
      pricing.get(Comparisons).get({
        ...{ older: version, newer: version, filter: {}, waitMs: 1_000 },
        assertKept: () => Promise.resolve(),
      }),
    ).rejects.toMatchObject({ code: 'CONFLICT', message: 'Version 5 is too large to be compared.' })
  })
})

function offer(row: number, price: number) {
  return {
    ...{ brand: 'Bolt', brand_key: 'BOLT', article: `A-${row}`, article_key: `A${row}`, name: 'Part' },
    ...{ quantity: 5, price, delivery_days: null },
  }
}

// admin.md#change-files
describe('the file of the changes', () => {
  it('has all of them, or those that the filter selects', async () => {
    const { id } = await versionsOf(BEFORE, AFTER)
    const lines = (await fileOf({ id, format: 'csv' })).toString().split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFkind;brand;article;name;old_price;new_price;price_percent;/)
    expect(lines[1]).toBe('dearer;Bosch;02;Pads;100;105;5;4;4;;;;3;2')
    expect(lines).toHaveLength(7)
    expect((await fileOf({ id, format: 'csv', article: 'w9' })).toString().split('\r\n')).toHaveLength(3)
    const workbook = new exceljs.Workbook()
    await workbook.xlsx.load((await fileOf({ id, format: 'xlsx', kind: 'dearer' })) as never)
    const sheet = workbook.worksheets[0]
    expect([sheet?.name, sheet?.rowCount, sheet?.getCell('C2').value, sheet?.getCell('F2').value]).toEqual([
      ...['Changes', 2, '02', 105],
    ])
  })

  it('has more rows than a page', async () => {
    const rows = (price: number) =>
      Array.from({ length: 2_000 }, (_, at) => `BOSCH;${at};Pads;1;${at % 2 === 0 ? 1 : price}\n`).join('')
    const { id } = await versionsOf(CSV_HEADER + rows(1), CSV_HEADER + rows(2))
    const lines = (await fileOf({ id, format: 'csv', kind: 'dearer' })).toString().split('\r\n')
    expect(new Set(lines.slice(1, -1)).size).toBe(1_000)
  })
})
