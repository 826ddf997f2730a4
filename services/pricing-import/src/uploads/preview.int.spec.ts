import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  acceptPreviewed,
  acceptUpload,
  patchPriceList,
  previewStored,
  previewUpload,
  readTaskFile,
  retryImportTask,
} from '@partsbus/contracts/pricing-import/commands'
import type { Preview, PreviewDraft } from '@partsbus/contracts/pricing-import/preview'
import ExcelJS from 'exceljs'
import { CSV_HEADER, newArticle, priceText } from '../testing/price-text.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

const UNKNOWN = 'A;B;C;D\nBOSCH;0 986;Pads;4\nMANN;W 712;Filter;7\n'
const HOUR_MS = 3_600_000

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing?.stop())

async function preview(
  price_list_id: number,
  content: string | Uint8Array,
  draft?: PreviewDraft,
  name?: string,
): Promise<Preview> {
  return (await pricing.ask(previewUpload, {
    price_list_id,
    ...(await pricing.put(content, name)),
    ...(draft && { draft }),
  })) as Preview
}
const age = (previewId: string, ms: number) =>
  pricing.db.collection('files').updateOne({ key: previewId }, { $set: { at: new Date(Date.now() - ms) } })

describe('a preview (admin.md#preview)', () => {
  it('shows the header, the raw rows, how columns were found, and why rows are skipped', async () => {
    const { id } = await pricing.newList({ format: { columns: { price: 'Цена' } }, markup_percent: 10 })
    const rows = ['BOSCH;A1;Pads;4;100', 'BOSCH;;Pads;4;100', 'BOSCH;A2;Pads;?;100', 'BOSCH;A1;Pads;5;100']
    const text = `Прайс\n\n${CSV_HEADER}${rows.join('\n')}\n`
    const { preview_id, ...seen } = await preview(id, text)
    expect(preview_id).toMatch(/^\d+-[0-9a-f]{12}$/)
    expect(seen).toEqual({
      encoding: 'utf-8',
      delimiter: ';',
      sheet: null,
      sheets: [],
      sheet_details: [],
      choices: {},
      columns: { brand: 1, article: 2, name: 3, quantity: 4, price: 5 },
      found_by: { brand: 'heading', article: 'heading', name: 'heading', quantity: 'heading', price: 'set' },
      header: { row: 3, cells: ['Бренд', 'Артикул', 'Наименование', 'Количество', 'Цена'] },
      sample: [
        { row: 1, cells: ['Прайс'] },
        { row: 3, cells: ['Бренд', 'Артикул', 'Наименование', 'Количество', 'Цена'] },
        { row: 4, cells: ['BOSCH', 'A1', 'Pads', '4', '100'] },
        { row: 5, cells: ['BOSCH', '', 'Pads', '4', '100'] },
        { row: 6, cells: ['BOSCH', 'A2', 'Pads', '?', '100'] },
        { row: 7, cells: ['BOSCH', 'A1', 'Pads', '5', '100'] },
      ],
      rows: [
        {
          row: 7,
          brand: 'BOSCH',
          article: 'A1',
          name: 'Pads',
          quantity: 5,
          price: 110,
          delivery_days: null,
        },
      ],
      rejected: [
        {
          row: 4,
          code: 'DUPLICATE',
          message: 'Row 7 has the same brand and article and is imported instead.',
          cells: ['BOSCH', 'A1', 'Pads', '4', '100'],
        },
        { row: 5, code: 'NO_ARTICLE', message: expect.any(String), cells: ['BOSCH', '', 'Pads', '4', '100'] },
        { row: 6, code: 'BAD_QUANTITY', message: expect.any(String), cells: ['BOSCH', 'A2', 'Pads', '?', '100'] },
      ],
      skipped_by_code: { DUPLICATE: 1, NO_ARTICLE: 1, BAD_QUANTITY: 1 },
      totals: { rows: 4, importable: 1, skipped: 3 },
      file: { name: 'price.csv', size: Buffer.byteLength(text) },
      live_rows: 0,
      guard: 'off',
      changes: { added: 1, gone: 0, repriced: 0, price_added: 0, price_gone: 0, is_estimate: false },
      warnings: [{ code: 'MANY_SKIPPED', count: 3, message: '3 rows with goods would be left out.' }],
      shown_brands: { BOSCH: 'BOSCH' },
    })
  })

  it('shows the same first rows for files with and without duplicates', async () => {
    const { id } = await pricing.newList()
    const text = priceText(96, 5)
    const plain = await preview(id, text)
    const doubled = await preview(id, `${text}BRAND1;P96;Деталь;3;5\n`)
    expect([plain.rows.length, plain.rejected.length]).toEqual([20, 9])
    expect(doubled.rows).toEqual(plain.rows)
    expect(doubled.skipped_by_code).toEqual({ ...plain.skipped_by_code, DUPLICATE: 1 })
    expect(doubled.rejected).toHaveLength(10)
  })

  it.each<[lost: number, headings: number, isWarned: boolean]>([
    [19, 0, false],
    [20, 0, true],
    // headings of groups hold no offer
    [19, 300, false],
  ])('warns of a fifth of the goods that is left out: %i, with %i headings', async (lost, headings, isWarned) => {
    const { id } = await pricing.newList()
    const rows = [
      ...Array.from({ length: 100 - lost }, (_, at) => `BOSCH;A${at};Pads;4;100`),
      ...Array.from({ length: lost }, () => 'BOSCH;;Pads;4;100'),
      ...Array.from({ length: headings }, () => ';;Pads;;'),
    ]
    const { warnings } = await preview(id, `${CSV_HEADER}${rows.join('\n')}\n`)
    expect(warnings.map(({ code, count }) => [code, count])).toEqual(isWarned ? [['MANY_SKIPPED', lost]] : [])
  })

  it('compares the file with the live version by min_rows_ratio', async () => {
    const { id } = await pricing.newList({ min_rows_ratio: 0.5 })
    await pricing.import(id, priceText(40, 1))
    expect(await preview(id, priceText(40, 2))).toMatchObject({ live_rows: 36, guard: 'passes' })
    expect(await preview(id, priceText(10, 2))).toMatchObject({ live_rows: 36, guard: 'fails' })
    await pricing.ask(patchPriceList, { id, patch: { mode: 'merge' } })
    expect(await preview(id, priceText(10, 2))).toMatchObject({ guard: 'passes' })
  })

  it('compares the file with the live offers (admin.md#preview-changes)', async () => {
    const { id } = await pricing.newList()
    const lines = [
      'BOSCH;A1;Pads;4;100',
      'BOSCH;A2;Pads;4;',
      'BOSCH;A3;Pads;4;100',
      'BOSCH;A4;Pads;4;100',
      'BOSCH;A5;Pads;4;9',
    ]
    await pricing.import(id, `${CSV_HEADER}${lines.join('\n')}\n`)
    const next = [
      'bosch;a-1;Pads;4;100',
      'BOSCH;A2;Pads;0;5',
      'BOSCH;A3;Pads;4;100,50',
      'BOSCH;A9;Pads;4;1',
      'BOSCH;A8;;1;1',
      'BOSCH;A5;Pads;4;',
    ]
    const text = `${CSV_HEADER}${next.join('\n')}\n`
    expect((await preview(id, text)).changes).toEqual({
      ...{ added: 2, gone: 1, repriced: 3, price_added: 1, price_gone: 1, is_estimate: false },
    })
    await pricing.ask(patchPriceList, { id, patch: { mode: 'merge' } })
    expect((await preview(id, text)).changes).toMatchObject({ added: 2, gone: 0, repriced: 3 })
    expect((await preview(id, `${CSV_HEADER};;;;\nBOSCH;;Pads;4;1\n`)).changes).toBeNull()
  })

  it('counts all rows of a sheet whose columns are not found', async () => {
    const { id } = await pricing.newList()
    const book = new ExcelJS.Workbook()
    const sheet = book.addWorksheet('Прайс')
    for (let row = 1; row <= 700; row += 1) sheet.addRow([`note ${row}`])
    const bytes = Buffer.from(await book.xlsx.writeBuffer())
    expect(await preview(id, bytes, {}, 'price.xlsx')).toMatchObject({
      problem: { code: 'COLUMNS_NOT_FOUND' },
      sheet_details: [{ name: 'Прайс', rows: 700, is_read: true }],
    })
  })

  it('lists other columns that would do, and what to know before the import (admin.md#warnings)', async () => {
    const { id } = await pricing.newList({ min_rows_ratio: 0.5 })
    const head = 'Бренд;Артикул;Наименование;Остаток;Цена опт;Цена розн;Склад 2\n'
    const read = await preview(id, `${head}BOSCH;A1;-;4;100;120;7\nBOSCH;A2;Pads;4;100;120;7\n`)
    expect(read.choices).toEqual({
      price: [{ column: 6, heading: 'Цена розн' }],
      quantity: [{ column: 7, heading: 'Склад 2' }],
    })
    expect(read.warnings).toMatchObject([{ code: 'NO_NAME', count: 1 }])
    await pricing.import(id, priceText(40, 1))
    expect((await preview(id, priceText(10, 1))).warnings).toMatchObject([{ code: 'TOO_FEW_ROWS', count: 9 }])
    expect((await preview(id, CSV_HEADER)).warnings).toMatchObject([{ code: 'NOTHING_TO_IMPORT', count: 0 }])
  })

  it('warns of what would be imported and do harm (admin.md#warnings)', async () => {
    const { id } = await pricing.newList()
    const merging = await pricing.newList({ mode: 'merge' })
    const head = 'Бренд;Артикул;Наименование;Остаток;Цена\n'
    const rows = (count: number, price: string, brandOf: (row: number) => string): string =>
      head + Array.from({ length: count }, (_, row) => `${brandOf(row)};A${row};Pads;4;${price}\n`).join('')
    const warnings = async (listId: number, text: string) => (await preview(listId, text)).warnings
    expect(
      await warnings(
        id,
        rows(30, '', () => 'BOSCH'),
      ),
    ).toMatchObject([{ code: 'NO_PRICE', count: 30 }])
    expect(
      await warnings(
        id,
        rows(30, '5', (row) => `OC ${row}`),
      ),
    ).toMatchObject([{ code: 'BRANDS_DOUBTFUL', count: 30 }])
    for (const list of [id, merging.id])
      await pricing.import(
        list,
        rows(30, '5', () => 'BOSCH'),
      )
    expect(
      await warnings(
        id,
        rows(15, '5', () => 'BOSCH'),
      ),
    ).toEqual([])
    expect(
      await warnings(
        id,
        rows(14, '5', () => 'BOSCH'),
      ),
    ).toMatchObject([{ code: 'LIST_SHRINKS', count: 16 }])
    expect(
      await warnings(
        merging.id,
        rows(14, '5', () => 'BOSCH'),
      ),
    ).toEqual([])
  })

  it('is refused with what was read, in the locale of the administrators (admin.md#preview-refused)', async () => {
    const { id } = await pricing.newList()
    const sent = { price_list_id: id, ...(await pricing.put(UNKNOWN)) }
    await expect(pricing.ask(previewUpload, sent, { admin_locale: 'ru' })).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: 'Uploaded file is not valid.',
      details: {
        lead: 'Загруженный файл не подходит.',
        reason: expect.stringMatching(/^Не найдены колонки: .* Текст прочитан в кодировке utf-8\.$/),
        preview: {
          encoding: 'utf-8',
          delimiter: ';',
          sample: [{ row: 1, cells: ['A', 'B', 'C', 'D'] }, {}, {}],
          problem: { code: 'COLUMNS_NOT_FOUND', message: expect.stringMatching(/^Не найдены/) },
        },
      },
    })
    const long = `${CSV_HEADER}BOSCH;A1;Pads;4;1\n"${'x'.repeat(1_100_000)}"\n`
    await expect(preview(id, long, {})).rejects.toMatchObject({
      code: 'INVALID_FILE',
      details: { preview: { header: { row: 1 }, sample: [{ row: 1 }, { row: 2 }], problem: { code: 'ROW_TOO_LONG' } } },
    })
  })

  it('names all sheets of a workbook, and reads the sheet of the draft', async () => {
    const { id } = await pricing.newList()
    const book = new ExcelJS.Workbook()
    book.addWorksheet('Info').addRow(['Price of today'])
    const sheet = book.addWorksheet('Прайс')
    for (let row = 1; row < 12; row += 1) sheet.addRow([`note ${row}`])
    sheet.addRow(['Бренд', 'Артикул', 'Остаток'])
    sheet.addRow(['BOSCH', 'A1', 4])
    const bytes = Buffer.from(await book.xlsx.writeBuffer())
    const first = await preview(id, bytes, {}, 'price.xlsx')
    expect(first).toMatchObject({
      sheet: 'Info',
      sheets: ['Info', 'Прайс'],
      sheet_details: [
        { name: 'Info', rows: 1, is_hidden: false, is_read: true },
        { name: 'Прайс', rows: 13, is_hidden: false, is_read: false },
      ],
      warnings: [{ code: 'SHEETS_UNREAD', count: 1, message: expect.stringContaining('"Прайс"') }],
      problem: { code: 'COLUMNS_NOT_FOUND' },
    })
    const again = (draft: PreviewDraft) =>
      pricing.ask(previewStored, { price_list_id: id, file: { preview_id: first.preview_id }, draft })
    expect(await again({ format: { sheet: 'Прайс' } })).toMatchObject({
      sheet: 'Прайс',
      header: { row: 12 },
      rows: [{ row: 13, article: 'A1' }],
    })
    expect(await again({ format: { sheet: 'all' } })).toMatchObject({
      sheet: null,
      sheet_details: [{ is_read: false }, { is_read: true }],
      header: { row: 13, sheet: 'Прайс', sheet_row: 12 },
      sample: expect.arrayContaining([
        { row: 1, sheet: 'Info', sheet_row: 1, cells: ['Price of today'] },
        { row: 2, sheet: 'Прайс', sheet_row: 1, cells: ['note 1'] },
      ]),
      rows: [{ row: 14, sheet: 'Прайс', sheet_row: 13, article: 'A1' }],
      warnings: [{ code: 'SHEETS_UNREAD' }, { code: 'NO_PRICE' }, { code: 'NO_NAME' }],
    })
    expect(await again({ format: { sheet: 'Old' } })).toMatchObject({
      sheets: ['Info', 'Прайс'],
      problem: { code: 'NO_SHEET', missing: [], message: 'The workbook has no sheet "Old".' },
      sample: [{ row: 1, cells: ['Price of today'] }],
    })
  })
})

describe('a draft (admin.md#preview-draft)', () => {
  it('does not take remarks for articles (admin.md#doubtful-article)', async () => {
    const { id } = await pricing.newList()
    const goods = Array.from({ length: 30 }, (_, at) => `BOSCH;${at < 3 ? 'new' : ''};Pads ${at};4;100`)
    const text = `${CSV_HEADER}${goods.join('\n')}\n`
    const { problem, columns, header } = await preview(id, text, {})
    expect(problem).toMatchObject({ code: 'ARTICLES_DOUBTFUL', missing: ['article'] })
    expect(problem?.message).toMatch(/^The column "Артикул" was not taken for the article/)
    expect([columns['article'], columns['brand'], header?.row]).toEqual([undefined, 1, 1])
    const chosen = await preview(id, text, { format: { columns: { article: 2 } } })
    expect([chosen.problem, chosen.totals.importable]).toEqual([undefined, 1])
    expect((await preview(id, text)).totals.importable).toBe(1)
  })

  it('is used instead of the stored fields that it names', async () => {
    const { id } = await pricing.newList({ markup_percent: 10, delivery_days: 3 })
    const text = `${CSV_HEADER}BOSCH;A1;Pads;4;100\n`
    expect((await preview(id, text, { markup_percent: 50 })).rows).toMatchObject([{ price: 150, delivery_days: 3 }])
    expect((await preview(id, text, { delivery_days: null })).rows).toMatchObject([{ price: 110, delivery_days: null }])
  })

  it('makes columns that are not found a problem of the answer, with what was found', async () => {
    const { id } = await pricing.newList()
    await expect(preview(id, UNKNOWN)).rejects.toMatchObject({ code: 'INVALID_FILE' })
    const seen = await preview(id, UNKNOWN, {})
    expect(seen).toMatchObject({
      problem: {
        code: 'COLUMNS_NOT_FOUND',
        missing: ['article', 'brand', 'quantity'],
        message: expect.stringMatching(/^No column was found for the article and the brand and the quantity\./),
      },
      rows: [],
      totals: { rows: 0, importable: 0, skipped: 0 },
      sample: [{ row: 1, cells: ['A', 'B', 'C', 'D'] }, { row: 2 }, { row: 3 }],
    })
    const draft = { format: { header: true, columns: { brand: 1, article: 'B', quantity: 'Rest' } } }
    const file = { preview_id: seen.preview_id }
    expect(await pricing.ask(previewStored, { price_list_id: id, file, draft })).toMatchObject({
      problem: { code: 'COLUMN_NOT_FOUND', missing: ['quantity'] },
      header: { row: 1, cells: ['A', 'B', 'C', 'D'] },
      columns: { brand: 1, article: 2 },
      found_by: { brand: 'set', article: 'set' },
    })
    draft.format.columns.quantity = 'D'
    expect(await pricing.ask(previewStored, { price_list_id: id, file, draft })).toMatchObject({
      totals: { rows: 2, importable: 2, skipped: 0 },
    })
  })

  it('makes a wrong encoding a problem of the answer', async () => {
    const { id } = await pricing.newList()
    const bytes = Buffer.from([0xc1, 0xf0, 0xe5, 0xed, 0xe4, 0x0a])
    expect(await preview(id, bytes, { format: { encoding: 'utf-8' } })).toMatchObject({
      problem: { code: 'ENCODING', missing: [] },
      encoding: 'windows-1251',
      sample: [{ row: 1, cells: ['Бренд'] }],
    })
  })

  it('makes a wrong encoding of a page a problem of the answer', async () => {
    const { id } = await pricing.newList()
    const page = '<html><table><tr><td>Бренд<td>Артикул<tr><td>KYB<td>7</table></html>'
    expect(await preview(id, page, { format: { encoding: 'utf-16le' } }, 'price.html')).toMatchObject({
      problem: { code: 'ENCODING', missing: [], message: 'The page has no table when it is read as utf-16le.' },
      encoding: 'utf-8',
      sample: [
        { row: 1, cells: ['Бренд', 'Артикул'] },
        { row: 2, cells: ['KYB', '7'] },
      ],
    })
  })

  it('of a file with monstrous cells fits into one message', async () => {
    const { id } = await pricing.newList()
    const row = Array.from({ length: 200 }, () => 'я'.repeat(1_500)).join(';')
    const draft = { format: { columns: { article: 2 } } }
    const seen = await preview(id, `${CSV_HEADER}${`${row}\n`.repeat(60)}`, draft)
    expect(seen.totals).toEqual({ rows: 60, importable: 0, skipped: 60 })
    expect([seen.sample.length, seen.rejected.length]).toEqual([30, 32])
  })

  it('does not admit a file that cannot be read at all', async () => {
    const { id } = await pricing.newList()
    await expect(preview(id, 'MZ', {}, 'price.xlsx')).rejects.toMatchObject({ code: 'INVALID_FILE' })
    await expect(preview(id, '', {})).rejects.toMatchObject({ code: 'INVALID_FILE' })
    expect(await pricing.db.collection('files').countDocuments({ used: false, name: 'price.xlsx', size: 2 })).toBe(0)
  })
})

describe('a stored file (admin.md#preview-stored)', () => {
  it('of an import is previewed by the id of its task', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.import(id, `${CSV_HEADER}BOSCH;${newArticle()};Pads;4;100\n`)
    const { preview_id = '', ...seen } = await pricing.ask(previewStored, {
      price_list_id: id,
      file: { task_id: task.id },
    })
    expect(seen).toMatchObject({ totals: { rows: 1 }, live_rows: 1 })
    expect(await pricing.ask(acceptPreviewed, { price_list_id: id, preview_id })).toEqual({
      task_id: expect.any(Number),
    })
    await expect(pricing.ask(previewStored, { price_list_id: id, file: { task_id: 999_999 } })).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: { errors: { 'file.task_id': ['The selected task_id is invalid.'] } },
    })
  })

  it('is swept an hour after its last preview, unless it was imported', async () => {
    const { id } = await pricing.newList()
    const [swept, read, imported] = await Promise.all([1, 2, 3].map((n) => preview(id, priceText(3, n))))
    const name = (seen: Preview | undefined) => seen?.preview_id ?? ''
    const { task_id } = await pricing.ask(acceptPreviewed, { price_list_id: id, preview_id: name(imported) })
    await pricing.finish(task_id)
    for (const seen of [swept, read, imported]) await age(name(seen), HOUR_MS + 1_000)
    await pricing.ask(previewStored, { price_list_id: id, file: { preview_id: name(read) } })
    await pricing.clean()
    const again = (seen: Preview | undefined) =>
      pricing.ask(previewStored, { price_list_id: id, file: { preview_id: name(seen) } })
    await expect(again(swept)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The previewed file is no longer kept. Send it again.',
    })
    expect([await again(read), await again(imported)]).toMatchObject([{ totals: { rows: 3 } }, { totals: { rows: 3 } }])
  })

  it.each(['', 'x', '1', '../1', '1-000000000000', '99999999999999999999-000000000000'])(
    'named %j is not there',
    async (preview_id) => {
      const { id } = await pricing.newList()
      await expect(pricing.ask(acceptPreviewed, { price_list_id: id, preview_id })).rejects.toMatchObject({
        code: preview_id === '' ? 'CONTRACT_VIOLATION' : 'CONFLICT',
      })
    },
  )
})

describe('an import of a previewed file (admin.md#upload-previewed)', () => {
  it('imports the bytes that were seen, also twice', async () => {
    const { id } = await pricing.newList()
    const text = `${CSV_HEADER}BOSCH;${newArticle()};Pads;4;100\n`
    const { preview_id } = await preview(id, text)
    const tasks = []
    for (let time = 0; time < 2; time += 1)
      tasks.push(
        await pricing.finish(
          (await pricing.ask(acceptPreviewed, { price_list_id: id, preview_id, created_by: 'anna' })).task_id,
        ),
      )
    expect(tasks).toMatchObject([{ status: 'completed' }, { status: 'completed', imported_rows: 1 }])
    for (const { id: task } of tasks)
      expect((await pricing.read(readTaskFile, { id: task, offset: 0, length: 1_000 })).toString()).toBe(text)
  })

  it('is refused for an inactive list and for an unknown one', async () => {
    const { id } = await pricing.newList({ is_active: false })
    const { preview_id } = await preview(id, priceText(3, 1))
    await expect(pricing.ask(acceptPreviewed, { price_list_id: id, preview_id })).rejects.toMatchObject({
      code: 'INACTIVE_LIST',
    })
    await expect(pricing.ask(acceptPreviewed, { price_list_id: 999_999, preview_id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('an import with mode merge into a list that replaces (admin.md#upload-merge)', () => {
  it('adds its rows to the live ones, and the next import replaces again', async () => {
    const { id } = await pricing.newList()
    const [one, two, three] = [newArticle(), newArticle(), newArticle()]
    const text = (article: string) => `${CSV_HEADER}BOSCH;${article};Pads;4;100\n`
    await pricing.import(id, text(one))
    const merged = await pricing.ask(acceptUpload, {
      price_list_id: id,
      mode: 'merge',
      ...(await pricing.put(text(two))),
    })
    await pricing.finish(merged.task_id)
    expect([await pricing.offers(one), await pricing.offers(two)]).toMatchObject([[{}], [{}]])
    await pricing.import(id, text(three))
    expect([await pricing.offers(one), await pricing.offers(two)]).toEqual([[], []])
    expect(await pricing.offers(three)).toHaveLength(1)
  })

  it('merges when it is retried, too', async () => {
    const { id } = await pricing.newList()
    const [one, two] = [newArticle(), newArticle()]
    await pricing.import(id, `${CSV_HEADER}BOSCH;${one};Pads;4;100\n`)
    await pricing.ask(patchPriceList, { id, patch: { format: { columns: { price: 'EUR' } } } })
    const upload = await pricing.put(`${CSV_HEADER}BOSCH;${two};Pads;4;100\n`)
    const { task_id } = await pricing.ask(acceptUpload, { price_list_id: id, mode: 'merge', ...upload })
    expect(await pricing.finish(task_id)).toMatchObject({ status: 'failed' })
    await pricing.ask(patchPriceList, { id, patch: { format: {} } })
    const retried = await pricing.ask(retryImportTask, { id: task_id })
    expect(await pricing.finish(retried.id)).toMatchObject({ status: 'completed' })
    expect([await pricing.offers(one), await pricing.offers(two)]).toMatchObject([[{}], [{}]])
  })
})
