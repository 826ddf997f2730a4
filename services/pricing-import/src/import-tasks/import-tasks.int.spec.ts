import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  acceptUpload,
  cancelImportTask,
  getImportStatus,
  getImportTask,
  listImportTasks,
  listSkippedRows,
  retryImportTask,
} from '@partsbus/contracts/pricing-import/commands'
import { CSV_HEADER, newArticle, priceText } from '../testing/price-text.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing?.stop())

const good = () => `${CSV_HEADER}BOSCH;${newArticle()};Pads;4;100\n`
const ids = async (filter: object) =>
  (await pricing.ask(listImportTasks, { page: 1, per_page: 100, ...filter })).data.map(({ id }) => id)

describe('a task of an administrator (admin.md#import-tasks)', () => {
  it('shows who created it, its skipped rows by reason, and whether it is live', async () => {
    const { id } = await pricing.newList()
    const upload = await pricing.put(`${good()}BOSCH;;Pads;4;100\nBOSCH;A2;Pads;?;1\nBOSCH;A3;Pads;?;1\n`)
    const { task_id } = await pricing.ask(acceptUpload, { price_list_id: id, created_by: 'anna', ...upload })
    const first = await pricing.finish(task_id)
    expect(first).toMatchObject({
      created_by: 'anna',
      queue_position: null,
      skipped_by_code: { NO_ARTICLE: 1, BAD_QUANTITY: 2 },
      error_code: null,
      is_live: true,
    })
    expect(Math.abs(Date.parse(first.created_at ?? '') - Date.now())).toBeLessThan(60_000)
    const second = await pricing.import(id, good())
    expect([second.created_by, second.is_live]).toEqual(['partner', true])
    expect((await pricing.task(task_id)).is_live).toBe(false)
  })

  it('has none of it in the partner API (partners.md#import-task)', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.import(id, good())
    expect(Object.keys(await pricing.ask(getImportStatus, { id: task.id }))).toEqual([
      'id',
      'price_list_id',
      'status',
      'status_label',
      'source_type',
      'total_rows',
      'processed_rows',
      'imported_rows',
      'skipped_rows',
      'error_message',
      'started_at',
      'completed_at',
    ])
  })

  it('shows its position in the queue while it waits', async () => {
    const { id } = await pricing.newList()
    await pricing.withListLocked(id, async () => {
      const tasks = [await pricing.upload(id, good()), await pricing.upload(id, good())]
      const positions = await Promise.all(tasks.map(async (task) => (await pricing.task(task)).queue_position))
      expect(positions).toEqual([1, 2])
      for (const task of tasks) await pricing.ask(cancelImportTask, { id: task })
    })
  })

  it.each<[string, object, string, string]>([
    ['COLUMNS_NOT_FOUND', {}, 'a;b\n1;2\n', 'price.csv'],
    ['COLUMN_NOT_FOUND', { format: { columns: { price: 'EUR' } } }, `${CSV_HEADER}A;B;C;1;1\n`, 'price.csv'],
    ['NO_ROWS', {}, CSV_HEADER, 'price.csv'],
    ['NO_IMPORTABLE_ROWS', {}, `${CSV_HEADER};;;;1\n`, 'price.csv'],
    ['ENCODING', { format: { encoding: 'utf-8' } }, 'Бренд;Артикул\n', 'cp1251.csv'],
  ])('has the code %s when it failed', async (code, fields, text, name) => {
    const { id } = await pricing.newList(fields)
    const content = name === 'cp1251.csv' ? Buffer.from([0xc1, 0xf0, 0xe5, 0xed, 0xe4, 0x0a]) : text
    expect(await pricing.import(id, content, name)).toMatchObject({ status: 'failed', error_code: code })
  })

  it('has the code TOO_FEW_ROWS when the guard refused it, and CANCELLED when it was cancelled', async () => {
    const { id } = await pricing.newList({ min_rows_ratio: 0.5 })
    await pricing.import(id, priceText(40, 1))
    expect(await pricing.import(id, priceText(10, 1))).toMatchObject({ error_code: 'TOO_FEW_ROWS' })
    await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, good())
      expect(await pricing.ask(cancelImportTask, { id: task })).toMatchObject({ error_code: 'CANCELLED' })
      expect(await pricing.ask(retryImportTask, { id: task, created_by: 'boris' })).toMatchObject({
        created_by: 'boris',
        retry_of: task,
      })
      expect((await pricing.task(task)).retry_of).toBeNull()
    })
  })

  it('of an earlier version lacks what was not recorded', async () => {
    const { id } = await pricing.newList()
    const { id: task } = await pricing.import(id, `${good()}BOSCH;;Pads;4;100\n`)
    await pricing.db
      .collection<{ _id: number }>('import_tasks')
      .updateOne({ _id: task }, { $unset: { created_by: '', skipped_by_code: '', error_code: '' } })
    expect(await pricing.task(task)).toMatchObject({ created_by: null, skipped_by_code: {}, error_code: null })
    expect(await pricing.ask(listSkippedRows, { id: task, page: 1, per_page: 10, code: 'NO_ARTICLE' })).toMatchObject({
      total: 1,
    })
  })
})

describe('the list of tasks', () => {
  it('is filtered by several states, the kind of source, and the time of creation', async () => {
    const { id } = await pricing.newList()
    const done = (await pricing.import(id, good())).id
    const failed = (await pricing.import(id, CSV_HEADER)).id
    const at = (await pricing.ask(getImportTask, { id: failed })).created_at ?? ''
    const ofList = { price_list_id: id }
    expect(await ids({ ...ofList, statuses: ['completed', 'failed'] })).toEqual([failed, done])
    expect(await ids({ ...ofList, statuses: ['completed'] })).toEqual([done])
    expect(await ids({ ...ofList, status: 'failed' })).toEqual([failed])
    expect(await ids({ ...ofList, statuses: ['pending', 'processing'] })).toEqual([])
    expect(await ids({ ...ofList, source_type: 'manual' })).toEqual([failed, done])
    expect(await ids({ ...ofList, source_type: 'ftp' })).toEqual([])
    expect(await ids({ ...ofList, from: at })).toEqual([failed])
    expect(await ids({ ...ofList, to: at })).toEqual([done])
    expect(await ids({ ...ofList, from: '2020-01-01', to: '2020-01-02' })).toEqual([])
    await expect(ids({ from: 'yesterday' })).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
  })
})

describe('skipped rows (admin.md#skipped)', () => {
  it('are listed by reason and behind a row, with the number of all of them', async () => {
    const { id } = await pricing.newList()
    const lines = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? 'BOSCH;;Pads;4;1' : `BOSCH;X${at};Pads;?;1`))
    const task = await pricing.import(id, `${good()}${lines.join('\n')}\n`)
    const list = (wanted: object) => pricing.ask(listSkippedRows, { id: task.id, page: 1, per_page: 10, ...wanted })
    expect(await list({})).toMatchObject({ total: 60, data: { length: 10, 0: { row: 3 } } })
    expect(await list({ after_row: 52 })).toMatchObject({ total: 60, data: { length: 10, 0: { row: 53 } } })
    expect(await list({ after_row: 62 })).toMatchObject({ total: 60, data: [] })
    const some = await list({ code: 'NO_ARTICLE', after_row: 40 })
    expect([some.total, some.data.map(({ row }) => row)]).toEqual([20, [42, 45, 48, 51, 54, 57, 60]])
    expect(await list({ code: 'DUPLICATE' })).toMatchObject({ total: 0, data: [] })
    await expect(list({ after_row: -1 })).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
  })

  it('are limited to those that a correction can help, and name the columns of the file', async () => {
    const { id } = await pricing.newList()
    const lines = ['BOSCH;D1;Pads;4;100', 'Brake pads;;;;', 'BOSCH;;Pads;4;1', CSV_HEADER.trim(), 'BOSCH;D1;Pads;4;90']
    const task = await pricing.import(id, `${CSV_HEADER}${lines.join('\n')}\n`)
    const list = (wanted: object) => pricing.ask(listSkippedRows, { id: task.id, page: 1, per_page: 10, ...wanted })
    const all = await list({})
    expect(all.data.map(({ code }) => code)).toEqual(['DUPLICATE', 'GROUP_ROW', 'NO_ARTICLE', 'REPEATED_HEADER'])
    expect(all.header).toEqual({ row: 1, cells: CSV_HEADER.trim().split(';') })
    const some = await list({ correctable: true })
    expect([some.total, some.data.map(({ code }) => code)]).toEqual([1, ['NO_ARTICLE']])
    expect(await list({ correctable: true, code: 'DUPLICATE' })).toMatchObject({ total: 0, data: [] })
    expect(await list({ correctable: false })).toMatchObject({ total: 4 })
  })
})
