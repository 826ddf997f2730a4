import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RequestOf } from '@partsbus/contracts/message'
import { closeExport, exportOffers, exportSkipped, readExport } from '@partsbus/contracts/pricing-import/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { createMetrics } from '@partsbus/platform/process/metrics'
import { waitFor } from '@partsbus/test-kit/wait-for'
import exceljs from 'exceljs'
import { CSV_HEADER } from '../testing/price-text.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { OpenExports } from './open-exports.js'

/** More than a chunk, and several pages. */
const ROWS = 2_500
const formats = ['csv', 'xlsx'] as const
const columns = 'brand;article;name;quantity;price;delivery_days;row'

let pricing: PricingUnderTest
let calls: BusClient
let list: number
let version: number
beforeAll(async () => {
  pricing = await startPricing()
  calls = new BusClient(pricing.connection, createMetrics('test'))
  ;[list, version] = await importedList(rowsOf('=1+1'))
})
afterAll(() => pricing?.stop())

const rowsOf = (name: string, count = ROWS) =>
  CSV_HEADER + Array.from({ length: count }, (_, at) => `BOSCH;00${at + 2};${name};4;10.5\n`).join('')
async function importedList(content: string): Promise<[list: number, version: number]> {
  const { id } = await pricing.newList()
  expect(await pricing.import(id, content)).toMatchObject({ status: 'completed' })
  return [id, Number.parseInt((await pricing.versionsOf(id))[0] ?? '', 10)]
}

type Opened = { process: string; export_id: string; file_name: string; media_type: string }
const open = (body: Omit<RequestOf<typeof exportOffers>, 'id'> & { id?: number }, timeoutMs = 20_000) =>
  calls.request(exportOffers, { id: list, ...body }, { timeoutMs })
const next = ({ process, export_id }: Opened) =>
  calls.forward(readExport, Buffer.from(JSON.stringify({ export_id })), { process, timeoutMs: 20_000 })
const close = ({ process, export_id }: Opened) => calls.request(closeExport, { export_id }, { process })
async function readRest(opened: Opened): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (let chunk = await next(opened); chunk.length > 0; chunk = await next(opened)) {
    expect(chunk.length).toBeLessThanOrEqual(64 * 1024)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
const textOf = async (opened: Opened) => (await readRest(opened)).toString()
async function sheetOf(opened: Opened): Promise<exceljs.Worksheet> {
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load((await readRest(opened)) as never)
  return workbook.worksheets[0] as exceljs.Worksheet
}
const threads = async () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

describe('an export of offers (admin.md#offer-files)', () => {
  it('has all offers of the live version', async () => {
    const csv = await open({ format: 'csv' })
    expect([csv.file_name, csv.media_type]).toEqual([`offers-${list}-v${version}.csv`, 'text/csv; charset=utf-8'])
    const lines = (await textOf(csv)).split('\r\n')
    expect([lines[0], lines[1], lines.length]).toEqual([`\uFEFF${columns}`, "BOSCH;002;'=1+1;4;10.5;;2", ROWS + 2])
    const xlsx = await open({ format: 'xlsx' })
    expect([xlsx.file_name, xlsx.media_type]).toEqual([
      `offers-${list}-v${version}.xlsx`,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
    const sheet = await sheetOf(xlsx)
    expect([sheet.rowCount, sheet.getRow(ROWS + 1).values]).toEqual([
      ROWS + 1,
      [undefined, 'BOSCH', `00${ROWS + 1}`, '=1+1', 4, 10.5, undefined, ROWS + 1],
    ])
  })

  it('has the heading alone while nothing is live', async () => {
    const { id } = await pricing.newList()
    const opened = await open({ id, format: 'csv' })
    expect([opened.file_name, await textOf(opened)]).toEqual([`offers-${id}.csv`, `\uFEFF${columns}\r\n`])
  })

  it('stays with the version that it began with when another one goes live', async () => {
    const [id, first] = await importedList(rowsOf('old'))
    const opened = await open({ id, format: 'csv' })
    const start = Buffer.from(await next(opened)).toString()
    await pricing.import(id, rowsOf('new'))
    const text = start + (await textOf(opened))
    expect([text.split(';old;').length, text.includes('new')]).toEqual([ROWS + 1, false])
    const later = await open({ id, format: 'csv' })
    expect(later.file_name).not.toBe(`offers-${id}-v${first}.csv`)
    await close(later)
  })

  it.each(formats)('fails before the end when its version is deleted (%s)', async (format) => {
    const [id, gone] = await importedList(rowsOf(`${format} of many different letters`, 20_000))
    const opened = await open({ id, format })
    expect((await next(opened)).length).toBe(64 * 1024)
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: id }, { $set: { versions: [], active_version: null } })
    await expect(readRest(opened)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Version ${gone} is no longer kept.`,
    })
    await expect(next(opened)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('takes the filters of the list', async () => {
    const lines = (await textOf(await open({ format: 'csv', article: '00-17', brand: 'bosch' }))).split('\r\n')
    expect(lines.slice(1)).toEqual(["BOSCH;0017;'=1+1;4;10.5;;17", ''])
    const ofPrice = async (prices: object) =>
      (await textOf(await open({ format: 'csv', ...prices }))).split('\r\n').length
    expect(await ofPrice({ price_from: 10.5, price_to: 10.5 })).toBe(ROWS + 2)
    expect(await ofPrice({ price_from: 10.51 })).toBe(2)
  })

  it('has a decimal comma in Russian, with which it is imported again (admin.md#export-language)', async () => {
    const prices = [10.5, 1234.05, 7, 0.99]
    const [id] = await importedList(CSV_HEADER + prices.map((price, at) => `BOSCH;${at};n;4;${price}\n`).join(''))
    const russian = await textOf(await open({ id, format: 'csv', language: 'ru' }))
    const written = russian.split('\r\n').map((line) => line.split(';')[4])
    expect(written).toEqual(['Цена', '10,5', '1234,05', '7', '0,99', undefined])
    expect(await textOf(await open({ id, format: 'csv', language: 'en' }))).toContain(';1234.05;')
    const [again] = await importedList(russian)
    const rows = await textOf(await open({ id: again, format: 'csv' }))
    expect(rows.split('\r\n').map((line) => line.split(';')[4])).toEqual(['price', ...prices.map(String), undefined])
  })

  it('names the row of each sheet for people, and counts rows on for programs (admin.md#all-sheets)', async () => {
    const [id, version] = await importedList(rowsOf('n', 4))
    const sheets = [
      { name: 'Лето', offset: 0 },
      { name: 'Зима', offset: 3 },
    ]
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const rows = async (language?: 'ru') =>
      (await textOf(await open({ id, format: 'csv', ...(language && { language }) })))
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(';').at(-1))
    expect(await rows('ru')).toEqual(['2', '3', '4', '5'])
    await tasks.updateOne({ _id: version }, { $set: { sheets } })
    expect(await rows('ru')).toEqual(['Лето!2', 'Лето!3', 'Зима!1', 'Зима!2'])
    expect(await rows()).toEqual(['2', '3', '4', '5'])
  })

  it.each(formats)('is NOT_FOUND of an unknown list (%s)', async (format) => {
    await expect(open({ id: 99_999, format })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('an export of skipped rows (admin.md#skipped-files)', () => {
  const SKIPPED = 1_100
  let task: number
  beforeAll(async () => {
    const { id } = await pricing.newList()
    const bad = Array.from({ length: SKIPPED - 1 }, (_, at) => `BOSCH;B${at};Колодки;?;1 234,50\n`).join('')
    const { id: imported } = await pricing.import(id, `Бренд;Артикул;Название;Количество;Цена\n${bad}BOSCH;;n;1;1\n`)
    task = imported
  })
  const openSkipped = (body: Omit<RequestOf<typeof exportSkipped>, 'id'> & { id?: number }) =>
    calls.request(exportSkipped, { id: task, ...body })

  it('has all rows, whatever their number, below the header of the file', async () => {
    const csv = await openSkipped({ format: 'csv' })
    expect([csv.file_name, csv.media_type]).toEqual([`skipped-${task}.csv`, 'text/csv; charset=utf-8'])
    const lines = (await textOf(csv)).split('\r\n')
    expect(lines[0]).toBe('\uFEFFБренд;Артикул;Название;Количество;Цена;skipped_row;skipped_code;skipped_message')
    expect(lines[1]).toMatch(/^BOSCH;B0;Колодки;\?;1 234,50;2;BAD_QUANTITY;[^;]+$/)
    expect(lines).toHaveLength(SKIPPED + 2)
    const sheet = await sheetOf(await openSkipped({ format: 'xlsx' }))
    expect([sheet.name, sheet.rowCount, sheet.getCell('B1').value, sheet.getCell('E2').value]).toEqual([
      'Skipped rows',
      SKIPPED + 1,
      'Артикул',
      '1 234,50',
    ])
  })

  it('is limited by reason, and to the rows that a correction can help', async () => {
    const codes = async (body: Partial<RequestOf<typeof exportSkipped>>) => {
      const lines = (await textOf(await openSkipped({ format: 'csv', ...body }))).split('\r\n').slice(1, -1)
      return lines.map((line) => line.split(';')[6])
    }
    expect(await codes({ code: 'NO_ARTICLE' })).toEqual(['NO_ARTICLE'])
    expect((await codes({ correctable: true })).length).toBe(SKIPPED)
  })

  it('is written with the delimiter of the list', async () => {
    const { id } = await pricing.newList({ format: { delimiter: '|' } } as never)
    const { id: imported } = await pricing.import(id, 'Бренд|Артикул|Название|Количество|Цена\nBOSCH|1|n|?|1\n')
    const text = await textOf(await openSkipped({ id: imported, format: 'csv' }))
    expect(text.split('\r\n')[1]).toMatch(/^BOSCH\|1\|n\|\?\|1\|2\|BAD_QUANTITY\|/)
  })

  it('fails before the end when its import is deleted', async () => {
    const opened = await openSkipped({ format: 'csv' })
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const kept = await tasks.findOneAndDelete({ _id: task })
    await expect(readRest(opened)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    if (kept) await tasks.insertOne(kept)
  })

  it.each(formats)('is NOT_FOUND of an unknown import (%s)', async (format) => {
    await expect(openSkipped({ id: 99_999, format })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('an open export', () => {
  it('leaves no thread behind when it is closed, before it was read and while it is', async () => {
    const before = await threads()
    const unread = await open({ format: 'xlsx' })
    await close(unread)
    const opened = await open({ format: 'xlsx' })
    const reading = next(opened)
    await waitFor(threads, (count) => count > before, 20_000, 1)
    await close(opened)
    await Promise.allSettled([reading])
    expect(await waitFor(threads, (count) => count <= before, 20_000)).toBe(before)
    await expect(next(opened)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await close(opened)
  })

  it('takes a place, for which the next one waits as long as its caller does (rules.md#overload)', async () => {
    const taken = [await open({ format: 'xlsx' }), await open({ format: 'xlsx' })]
    await expect(open({ format: 'xlsx' }, 2_500)).rejects.toMatchObject({ code: 'OVERLOADED' })
    // of the other kind
    await close(await open({ format: 'csv' }))
    const third = open({ format: 'xlsx' })
    await close(taken[0] as Opened)
    expect((await readRest(await third)).length).toBeGreaterThan(10_000)
    await close(taken[1] as Opened)
    await expect(open({ id: 99_999, format: 'xlsx' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const one of [await open({ format: 'xlsx' }), await open({ format: 'xlsx' })]) await close(one)
  })

  it('ends when nobody reads it', async () => {
    const exports = pricing.get(OpenExports)
    const { idleMs } = exports
    exports.idleMs = 200
    const abandoned = [await open({ format: 'xlsx' }), await open({ format: 'xlsx' })]
    exports.idleMs = idleMs
    // both of their places are free
    for (const one of [await open({ format: 'xlsx' }), await open({ format: 'xlsx' })]) await close(one)
    for (const one of abandoned) await expect(next(one)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is read from the process that opened it, and is gone with it', async () => {
    const other = await pricing.startService()
    const opened = await Promise.all(Array.from({ length: 12 }, () => open({ format: 'csv' })))
    const processes = [...new Set(opened.map((one) => one.process))]
    expect(processes).toHaveLength(2)
    const texts = new Set(await Promise.all(opened.map(textOf)))
    expect(texts.size).toBe(1)
    const left = await Promise.all(Array.from({ length: 12 }, () => open({ format: 'csv' })))
    for (const one of left) await next(one)
    await pricing.services.splice(pricing.services.indexOf(other), 1)[0]?.stop()
    const outcomes = await Promise.all(left.map((one) => textOf(one).catch((error: { code: string }) => error.code)))
    expect(new Set(outcomes.map((outcome) => (outcome === 'UNAVAILABLE' ? outcome : 'read')))).toEqual(
      new Set(['UNAVAILABLE', 'read']),
    )
  })
})
