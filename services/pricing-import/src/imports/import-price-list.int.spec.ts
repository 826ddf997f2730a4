import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  acceptUpload,
  describeTaskFile,
  getImportStatus,
  getImportTask,
  listImportTasks,
  listSkippedRows,
  previewUpload,
  readTaskFile,
} from '@partsbus/contracts/pricing-import/commands'
import ExcelJS from 'exceljs'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { CSV_HEADER, newArticle } from '../testing/price-text.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing({ IMPORT_REMOVE_AFTER_MS: 0 })
})
afterAll(() => pricing.stop())

const page = { page: 1, per_page: 50 }

describe('an uploaded list', () => {
  // rules.md#source-type
  it('becomes live, and the task has its counts', async () => {
    const list = await pricing.newList({ markup_percent: 10, delivery_days: 3 })
    const task = await pricing.import(
      list.id,
      `${CSV_HEADER}Bosch;0 986-479W30;Диск;>10;1 234,50 руб\nBosch;X1;Фильтр;;5\nFEL-PRO;33-2247;Прокладка;-;2\n`,
    )
    expect(task).toMatchObject({
      status: 'completed',
      status_label: 'Completed',
      source_type: 'manual',
      total_rows: 3,
      processed_rows: 3,
      imported_rows: 2,
      skipped_rows: 1,
      error_message: null,
      file_name: 'price.csv',
      superseded: false,
      started_at: expect.any(String),
      completed_at: expect.any(String),
    })
    expect(await pricing.offers('0986479w30')).toEqual([
      {
        storage_id: 7,
        brand: 'Bosch',
        article: '0 986-479W30',
        name: 'Диск',
        quantity: 10,
        price: 1357.95,
        delivery_days: 3,
      },
    ])
    expect(await pricing.offers('33-2247')).toEqual([])
    expect(await pricing.ask(listSkippedRows, { id: task.id, ...page })).toMatchObject({
      total: 1,
      data: [
        { row: 3, code: 'NO_QUANTITY', message: 'The quantity is missing.', cells: ['Bosch', 'X1', 'Фильтр', '', '5'] },
      ],
    })
  })

  it('of duplicates the last wins, the earlier ones are skipped with a code, across batches too', async () => {
    const list = await pricing.newList()
    const filler = Array.from({ length: 2_500 }, (_, row) => `F;${row};x;1;1\n`).join('')
    const task = await pricing.import(
      list.id,
      `${CSV_HEADER}A;D-1;one;1;1\nB;D-1;other;1;1\n${filler}a;d1;two;2;2\n${filler}A;D 1;three;3;3\n`,
    )
    expect(task).toMatchObject({ total_rows: 5_004, imported_rows: 2_502, skipped_rows: 2_502 })
    expect(await pricing.namesOf('D1')).toEqual(['other', 'three'])
    const { data } = await pricing.ask(listSkippedRows, { id: task.id, page: 1, per_page: 1 })
    expect(data.map(({ row, code }) => [row, code])).toEqual([[2, 'DUPLICATE']])
  })

  it.each([
    ['first', 30, { 3: 2, 4: 2 }],
    ['cheapest', 10, { 2: 3, 4: 3 }],
    ['last', 20, { 2: 4, 3: 4 }],
  ] as const)('of duplicates the %s one is imported where the list says so', async (duplicates, price, by) => {
    const { id } = await pricing.newList({ format: { duplicates } })
    const article = newArticle()
    const rows = [30, 10, 20].map((amount) => `B;${article};Pads;4;${amount}`)
    const task = await pricing.import(id, `${CSV_HEADER}${rows.join('\n')}\n`)
    expect(task).toMatchObject({ imported_rows: 1, skipped_by_code: { DUPLICATE: 2 } })
    expect(await pricing.offers(article)).toMatchObject([{ price }])
    const { data } = await pricing.ask(listSkippedRows, { id: task.id, ...page })
    expect(Object.fromEntries(data.map(({ row, message }) => [row, message]))).toEqual(
      Object.fromEntries(
        Object.entries(by).map(([row, winner]) => [
          row,
          `Row ${winner} has the same brand and article and is imported instead.`,
        ]),
      ),
    )
  })

  it('of all sheets of a workbook is imported, and skipped rows name their sheet (admin.md#all-sheets)', async () => {
    const { id } = await pricing.newList({ format: { sheet: 'all' } })
    const [one, two] = [newArticle(), newArticle()]
    const book = new ExcelJS.Workbook()
    book.addWorksheet('Info').addRow(['Price of today'])
    const first = book.addWorksheet('One')
    first.addRows([
      ['Бренд', 'Артикул', 'Остаток'],
      ['A', one, 4],
      ['A', '', 4],
      ['B', two, 1],
    ])
    book.addWorksheet('Two').addRows([
      ['Остаток', 'Бренд', 'Артикул'],
      [5, 'B', two],
    ])
    const task = await pricing.import(id, Buffer.from(await book.xlsx.writeBuffer()), 'price.xlsx')
    expect(task).toMatchObject({ status: 'completed', total_rows: 4, imported_rows: 2, live_rows: 2 })
    expect([await pricing.offers(one), await pricing.offers(two)]).toMatchObject([[{ quantity: 4 }], [{ quantity: 5 }]])
    const skipped = (admin_locale: 'en' | 'ru') =>
      pricing.ask(listSkippedRows, { id: task.id, ...page }, { admin_locale })
    expect((await skipped('en')).data).toMatchObject([
      { row: 4, sheet: 'One', sheet_row: 3, code: 'NO_ARTICLE', message: 'The article is missing.' },
      {
        row: 5,
        sheet: 'One',
        sheet_row: 4,
        code: 'DUPLICATE',
        message: expect.stringContaining('Row 2 of sheet "Two"'),
      },
    ])
    expect((await skipped('ru')).data).toMatchObject([
      { message: 'Нет артикула.' },
      { message: expect.stringContaining('строка 2 листа «Two»') },
    ])
  })

  it('warns of rows without a product name, which get-brands leaves out (partners.md#brands-4)', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.import(id, `${CSV_HEADER}A;${newArticle()};-;4;1\nA;${newArticle()};;4;1\nA;;;4;1\n`)
    expect(task.warnings).toEqual([{ code: 'NO_NAME', count: 2, message: expect.stringContaining('2 rows have no') }])
  })

  it('warns of rows without a price (admin.md#warnings)', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.import(id, `${CSV_HEADER}A;${newArticle()};Pads;4;\nA;${newArticle()};Pads;4;1\n`)
    expect(task.warnings).toEqual([{ code: 'NO_PRICE', count: 1, message: '1 row has no price.' }])
  })

  it('that fails has no live rows, and says so in the locale of the administrators (admin.md#locale)', async () => {
    const { id } = await pricing.newList({ min_rows_ratio: 0.9 })
    const rows = Array.from({ length: 3 }, () => `A;${newArticle()};Pads;4;1`)
    const first = await pricing.import(id, `${CSV_HEADER}${rows.join('\n')}\n`)
    const failed = await pricing.import(id, `${CSV_HEADER}${rows[0]}\n`)
    expect(failed).toMatchObject({ status: 'failed', imported_rows: 1, live_rows: 0, is_live: false })
    expect(await pricing.task(first.id)).toMatchObject({ live_rows: 3, is_live: true })
    const shown = await pricing.ask(getImportTask, { id: failed.id }, { admin_locale: 'ru' })
    expect(shown.error_message).toBe(
      'В новом файле строк: 1, в действующем прайс-листе: 3. Это меньше заданного минимума 90 %. ' +
        'Действует прежняя версия.',
    )
    const seen = await pricing.ask(getImportStatus, { id: failed.id }, { admin_locale: 'ru' })
    expect(seen.error_message).toMatch(/^The new list has 1 rows/)
  })

  it('is refused with the reason when the file is not valid', async () => {
    const { id: price_list_id } = await pricing.newList()
    const cases: Array<[string, string | Uint8Array, string]> = [
      ['price.exe', 'a;b', 'must be CSV'],
      ['price.csv', '', 'empty'],
      ['price.csv', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), 'not those of a .csv'],
      ['price.xlsx', 'a;b', 'not those of a .xlsx'],
    ]
    for (const [name, content, reason] of cases) {
      await expect(pricing.upload(price_list_id, content, name)).rejects.toMatchObject({
        code: 'INVALID_FILE',
        message: 'Uploaded file is not valid.',
        details: { reason: expect.stringContaining(reason) },
      })
    }
    const file = await pricing.put(CSV_HEADER)
    await expect(
      pricing.ask(acceptUpload, { price_list_id, ...file }, { 'price-lists.import.max_file_size': 10 }),
    ).rejects.toMatchObject({ code: 'INVALID_FILE' })
  })

  it('is a table of a page of an administrator, and of a partner only as .xls (rules.md#page-files)', async () => {
    const { id: price_list_id } = await pricing.newList()
    const page = '<table><tr><td>Бренд<td>Артикул<td>Остаток<tr><td>KYB<td>0105<td>4</table>'
    await expect(pricing.upload(price_list_id, page, 'price.html')).rejects.toMatchObject({ code: 'INVALID_FILE' })
    expect(await pricing.finish(await pricing.upload(price_list_id, page, 'price.xls'))).toMatchObject({
      imported_rows: 1,
    })
    const file = await pricing.put(page, 'price.htm')
    const { task_id } = await pricing.ask(acceptUpload, { price_list_id, ...file, created_by: 'vera' })
    expect(await pricing.finish(task_id)).toMatchObject({ status: 'completed', imported_rows: 1 })
  })

  it('is checked in order: known list, active list, file', async () => {
    await expect(pricing.upload(999_999, '', 'x.exe')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { id } = await pricing.newList({ is_active: false })
    await expect(pricing.upload(id, '', 'x.exe')).rejects.toMatchObject({
      code: 'INACTIVE_LIST',
      message: 'Price list is not active.',
    })
  })

  it('leaves the bucket, and is kept letter by letter', async () => {
    const { id } = await pricing.newList()
    const text = CSV_HEADER + `A;${newArticle()};x;1;1\n`
    const file = await pricing.put(text, 'прайс.txt')
    const { task_id } = await pricing.ask(acceptUpload, { price_list_id: id, ...file })
    await expect(pricing.ask(acceptUpload, { price_list_id: id, ...file })).rejects.toMatchObject({
      code: 'INVALID_FILE',
    })
    expect(await pricing.ask(describeTaskFile, { id: task_id })).toMatchObject({
      file_name: 'прайс.txt',
      size: Buffer.byteLength(text),
    })
    const bytes = await pricing.read(readTaskFile, { id: task_id, offset: 5, length: 7 })
    expect(bytes).toEqual(Buffer.from(text).subarray(5, 12))
    await pricing.finish(task_id)
    expect(await pricing.ask(describeTaskFile, { id: task_id })).toMatchObject({
      header: { row: 1, cells: ['Бренд', 'Артикул', 'Наименование', 'Количество', 'Цена'] },
    })
  })

  it('skipped rows can be read from any row on', async () => {
    const { id: list } = await pricing.newList()
    const { id } = await pricing.import(list, `${CSV_HEADER}A;${newArticle()};x;1;1\n${';;x;;\n'.repeat(5)}`)
    const rows = async (after_row: number, per_page: number) =>
      (await pricing.ask(listSkippedRows, { id, page: 1, per_page, after_row })).data.map(({ row }) => row)
    expect([await rows(0, 50), await rows(4, 2), await rows(7, 50)]).toEqual([[3, 4, 5, 6, 7], [5, 6], []])
  })

  it.each<[string, string, string]>([
    ['only a header', CSV_HEADER, 'The file contains no rows.'],
    ['no importable row', `${CSV_HEADER};1;x;1;1\n`, 'None of the 1 rows could be imported'],
    ['no columns', 'a;b;c\n1;2;3\n', 'No column was found for the article and the brand and the quantity.'],
  ])('fails with %s, and the old list stays', async (_name, text, message) => {
    const article = newArticle()
    const { id } = await pricing.newList()
    await pricing.import(id, `${CSV_HEADER}A;${article};old;1;1\n`)
    expect(await pricing.import(id, text)).toMatchObject({
      status: 'failed',
      status_label: 'Failed',
      error_message: expect.stringContaining(message),
    })
    expect(await pricing.namesOf(article)).toEqual(['old'])
  })

  it('the label of the status is in the locale of the administrator', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.import(id, `${CSV_HEADER}A;${newArticle()};x;1;1\n`)
    expect(await pricing.ask(getImportStatus, { id: task.id }, { admin_locale: 'ru' })).toEqual(
      expect.objectContaining({ id: task.id, price_list_id: id, status: 'completed', status_label: 'Завершён' }),
    )
    await expect(pricing.ask(getImportStatus, { id: 999_999 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('preview', () => {
  it('says what the import then does, and imports nothing', async () => {
    const article = newArticle()
    const { id } = await pricing.newList({ markup_percent: 20 })
    const text = `Прайс;;;;\n${CSV_HEADER}A;${article};first;1;1\nA;${article};second;>5;2,50\n;x;y;1;1\n`
    const preview = await pricing.ask(previewUpload, { price_list_id: id, ...(await pricing.put(text)) })
    expect(preview).toMatchObject({
      encoding: 'utf-8',
      delimiter: ';',
      sheet: null,
      columns: { brand: 1, article: 2, name: 3, quantity: 4, price: 5 },
      rows: [{ brand: 'A', article, name: 'second', quantity: 5, price: 3, delivery_days: null }],
      rejected: [
        expect.objectContaining({ row: 3, code: 'DUPLICATE' }),
        expect.objectContaining({ row: 5, code: 'NO_BRAND' }),
      ],
      totals: { rows: 3, importable: 1, skipped: 2 },
    })
    expect(await pricing.ask(listImportTasks, { ...page, price_list_id: id })).toMatchObject({ total: 0 })
    const task = await pricing.import(id, text)
    expect(task).toMatchObject({ total_rows: 3, imported_rows: 1, skipped_rows: 2 })
    const { data } = await pricing.ask(listSkippedRows, { id: task.id, ...page })
    expect(data).toEqual(preview.rejected)
    expect(await pricing.offers(article)).toMatchObject(preview.rows.map(({ row: _row, ...offer }) => offer))
  })

  it('reports why a file cannot be read', async () => {
    const { id } = await pricing.newList()
    await expect(
      pricing.ask(previewUpload, { price_list_id: id, ...(await pricing.put('a;b\n1;2\n')) }),
    ).rejects.toMatchObject({
      code: 'INVALID_FILE',
      details: { reason: expect.stringContaining('No column was found') },
    })
  })
})
