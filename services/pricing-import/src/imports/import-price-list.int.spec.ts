import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import {
  acceptUpload,
  cancelImportTask,
  describeTaskFile,
  getImportStatus,
  listImportTasks,
  listSkippedRows,
  listVersions,
  patchPriceList,
  previewUpload,
  readTaskFile,
  retryImportTask,
  rollbackVersion,
} from '@partsbus/contracts/pricing'
import { KeepClean } from '../keep-clean.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { priceText } from '../testing/price-text.js'

jest.setTimeout(60_000)

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing({ IMPORT_REMOVE_AFTER_MS: 0 })
})
afterAll(() => pricing.stop())

const HEAD = 'Бренд;Артикул;Наименование;Количество;Цена\n'
const page = { page: 1, per_page: 50 }
let articles = 0
/** An article that no other test uses. */
const fresh = () => `ART${(articles += 1)}X`
const named = async (article: string) => (await pricing.offers(article)).map(({ name }) => name)
const versionsOf = async (id: number) =>
  (await pricing.ask(listVersions, { id })).versions.map(({ version, is_active }) =>
    is_active ? `${version}*` : String(version),
  )

/** Keeps workers off a list while `work` runs, as another process's import of it would. */
async function heldBack<T>(list: number, work: () => Promise<T>): Promise<T> {
  const lists = pricing.db.collection<{ _id: number }>('price_lists')
  await lists.updateOne({ _id: list }, { $set: { lease_owner: 'other', lease_until: new Date(Date.now() + 600_000) } })
  try {
    return await work()
  } finally {
    await lists.updateOne({ _id: list }, { $set: { lease_owner: '', lease_until: new Date(0) } })
  }
}

describe('an uploaded list', () => {
  it('becomes live, and the task tells its counts', async () => {
    const list = await pricing.newList({ markup_percent: 10, delivery_days: 3 })
    const task = await pricing.import(
      list.id,
      `${HEAD}Bosch;0 986-479W30;Диск;>10;1 234,50 руб\nBosch;X1;Фильтр;;5\nFEL-PRO;33-2247;Прокладка;-;2\n`,
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
      `${HEAD}A;D-1;one;1;1\nB;D-1;other;1;1\n${filler}a;d1;two;2;2\n${filler}A;D 1;three;3;3\n`,
    )
    expect(task).toMatchObject({ total_rows: 5_004, imported_rows: 2_502, skipped_rows: 2_502 })
    expect(await named('D1')).toEqual(['other', 'three'])
    const { data } = await pricing.ask(listSkippedRows, { id: task.id, page: 1, per_page: 1 })
    expect(data.map(({ row, code }) => [row, code])).toEqual([[2, 'DUPLICATE']])
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
    const file = await pricing.put(HEAD)
    await expect(
      pricing.ask(acceptUpload, { price_list_id, ...file }, { 'price-lists.import.max_file_size': 10 }),
    ).rejects.toMatchObject({ code: 'INVALID_FILE' })
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
    const text = HEAD + `A;${fresh()};x;1;1\n`
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
    const { id } = await pricing.import(list, `${HEAD}A;${fresh()};x;1;1\n${';;x;;\n'.repeat(5)}`)
    const rows = async (after_row: number, per_page: number) =>
      (await pricing.ask(listSkippedRows, { id, page: 1, per_page, after_row })).data.map(({ row }) => row)
    expect([await rows(0, 50), await rows(4, 2), await rows(7, 50)]).toEqual([[3, 4, 5, 6, 7], [5, 6], []])
  })

  it.each<[string, string, string]>([
    ['only a header', HEAD, 'The file holds no rows.'],
    ['no importable row', `${HEAD};1;x;1;1\n`, 'None of the 1 rows could be imported'],
    ['no columns', 'a;b;c\n1;2;3\n', 'No column was found for the article and the brand and the quantity.'],
  ])('fails with %s, and the old list stays', async (_name, text, message) => {
    const article = fresh()
    const { id } = await pricing.newList()
    await pricing.import(id, `${HEAD}A;${article};old;1;1\n`)
    expect(await pricing.import(id, text)).toMatchObject({
      status: 'failed',
      status_label: 'Failed',
      error_message: expect.stringContaining(message),
    })
    expect(await named(article)).toEqual(['old'])
  })

  it('the label of the status is in the locale of the administrator', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.import(id, `${HEAD}A;${fresh()};x;1;1\n`)
    expect(await pricing.ask(getImportStatus, { id: task.id }, { admin_locale: 'ru' })).toEqual(
      expect.objectContaining({ id: task.id, price_list_id: id, status: 'completed', status_label: 'Завершён' }),
    )
    await expect(pricing.ask(getImportStatus, { id: 999_999 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('versions', () => {
  it('the same file twice makes two versions of the same rows', async () => {
    const article = fresh()
    const { id } = await pricing.newList()
    const text = `${HEAD}A;${article};x;1;1\n`
    const [one, two] = [await pricing.upload(id, text), await pricing.upload(id, text)]
    await pricing.finish(one)
    await pricing.finish(two)
    expect(await versionsOf(id)).toEqual([`${two}*`, `${one}`])
    expect(await named(article)).toEqual(['x'])
  })

  it('an older upload that finishes last is completed and superseded, and the newer one stays', async () => {
    const article = fresh()
    const { id } = await pricing.newList()
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const [older, newer, late] = await heldBack(id, async () => {
      const first = await pricing.upload(id, `${HEAD}A;${article};older;1;1\n`)
      const found = await tasks.findOneAndDelete({ _id: first })
      return [first, await pricing.upload(id, `${HEAD}A;${article};newer;1;1\n`), found] as const
    })
    await pricing.finish(newer)
    if (late) await tasks.insertOne(late)
    expect(await pricing.finish(older)).toMatchObject({ status: 'completed', superseded: true, imported_rows: 1 })
    expect(await named(article)).toEqual(['newer'])
    expect(await versionsOf(id)).toEqual([`${newer}*`])
  })

  it('the last three are kept, and any of them can be made live again', async () => {
    const article = fresh()
    const { id } = await pricing.newList()
    const ids: number[] = []
    for (const name of ['one', 'two', 'three', 'four'])
      ids.push((await pricing.import(id, `${HEAD}A;${article};${name};1;1\n`)).id)
    const [one, two, three, four] = ids
    expect(await versionsOf(id)).toEqual([`${four}*`, `${three}`, `${two}`])
    await pricing.ask(rollbackVersion, { id })
    expect(await versionsOf(id)).toEqual([`${four}`, `${three}*`, `${two}`])
    expect(await named(article)).toEqual(['three'])
    await pricing.ask(rollbackVersion, { id })
    await expect(pricing.ask(rollbackVersion, { id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'There is no version before the active one.',
    })
    await expect(pricing.ask(rollbackVersion, { id, version: one })).rejects.toMatchObject({ code: 'CONFLICT' })
    await pricing.ask(rollbackVersion, { id, version: four })
    expect(await named(article)).toEqual(['four'])
    await new KeepClean(pricing.ctx).clean()
    const rows = await pricing.db.collection('offers').distinct('version', { article_key: article })
    expect(rows).toEqual([two, three, four])
  })

  it('a rollback is not undone by an older upload that finishes after it (rules.md#rollback)', async () => {
    const article = fresh()
    const { id } = await pricing.newList()
    await pricing.import(id, `${HEAD}A;${article};first;1;1\n`)
    const tasks = pricing.db.collection<{ _id: number }>('import_tasks')
    const [older, newer, late] = await heldBack(id, async () => {
      const held = await pricing.upload(id, `${HEAD}A;${article};late;1;1\n`)
      const found = await tasks.findOneAndDelete({ _id: held })
      return [held, await pricing.upload(id, `${HEAD}A;${article};bad;1;1\n`), found] as const
    })
    await pricing.finish(newer)
    await pricing.ask(rollbackVersion, { id })
    if (late) await tasks.insertOne(late)
    expect(await pricing.finish(older)).toMatchObject({ status: 'completed', superseded: true })
    expect(await named(article)).toEqual(['first'])
  })

  it('a version with fewer than min_rows_ratio of the live rows fails', async () => {
    const { id } = await pricing.newList({ min_rows_ratio: 0.5 })
    const live = await pricing.import(id, priceText(100, 1))
    expect(await pricing.import(id, priceText(40, 2))).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('fewer than the share of 0.5'),
    })
    expect(await versionsOf(id)).toEqual([`${live.id}*`])
    expect(await pricing.import(id, priceText(60, 2))).toMatchObject({ status: 'completed' })
  })
})

describe('a list that merges', () => {
  it('adds to and replaces what is live, by normalised brand and article, in the order of the uploads', async () => {
    const [kept, changed, added] = [fresh(), fresh(), fresh()]
    const { id } = await pricing.newList({ mode: 'merge' })
    const tasks = await heldBack(id, async () => [
      await pricing.upload(id, `${HEAD}A;${kept};kept;1;1\nA;${changed};old;1;1\n`),
      await pricing.upload(id, `${HEAD}a;${changed.toLowerCase()};new;2;2\nA;${added};added;1;1\n`),
      await pricing.upload(id, `${HEAD}A;${added};added again;1;1\n`),
    ])
    for (const task of tasks)
      expect(await pricing.finish(task)).toMatchObject({ status: 'completed', superseded: false })
    expect([await named(kept), await named(changed), await named(added)]).toEqual([['kept'], ['new'], ['added again']])
    const { versions } = await pricing.ask(listVersions, { id })
    expect(versions.map(({ rows }) => rows)).toEqual([3, 3, 2])
  })

  it('starts from the version that is active when it goes live, also after a rollback', async () => {
    const [one, two, three] = [fresh(), fresh(), fresh()]
    const { id } = await pricing.newList({ mode: 'merge' })
    await pricing.import(id, `${HEAD}A;${one};one;1;1\n`)
    await pricing.import(id, `${HEAD}A;${two};two;1;1\n`)
    await pricing.ask(rollbackVersion, { id })
    await pricing.import(id, `${HEAD}A;${three};three;1;1\n`)
    expect([await named(one), await named(two), await named(three)]).toEqual([['one'], [], ['three']])
  })
})

describe('the queue', () => {
  it('a poison file fails after at most five attempts, and the next one of the list goes on', async () => {
    const article = fresh()
    const { id } = await pricing.newList()
    const [poison, next] = await heldBack(id, async () => {
      const first = await pricing.upload(id, `${HEAD}A;${article};poison;1;1\n`)
      // workers that die right after their claim
      for (let attempt = 0; attempt < 4; attempt += 1) await pricing.ctx.tasks.claim(first)
      return [first, await pricing.upload(id, `${HEAD}A;${article};good;1;1\n`)]
    })
    expect(await pricing.finish(poison)).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('given up'),
    })
    expect(await pricing.ctx.tasks.find(poison)).toMatchObject({ attempt: 5 })
    expect(await pricing.finish(next)).toMatchObject({ status: 'completed' })
  })

  it('a worker that was replaced writes nothing more', async () => {
    const { id } = await pricing.newList()
    await heldBack(id, async () => {
      const task = await pricing.upload(id, `${HEAD}A;${fresh()};x;1;1\n`)
      const frozen = await pricing.ctx.tasks.claim(task)
      const current = await pricing.ctx.tasks.claim(task)
      if (!frozen || !current) throw new Error('not claimed')
      expect(await pricing.ctx.tasks.save(frozen, { processed_rows: 5 })).toBe(false)
      expect(await pricing.ctx.tasks.end(frozen, { status: 'failed' })).toBe(false)
      expect(await pricing.ctx.tasks.save(current, { processed_rows: 0 })).toBe(true)
      const list = await pricing.ctx.lists.find(id)
      if (!list) throw new Error('no list')
      expect(
        await pricing.ctx.lists.goLive(list, 'not the owner', { version: task, rows: 1, created_at: new Date() }),
      ).toBe(false)
    })
  })

  it('lists do not wait for each other', async () => {
    const [busy, idle] = [await pricing.newList(), await pricing.newList()]
    await heldBack(busy.id, async () => {
      await pricing.upload(busy.id, `${HEAD}A;${fresh()};x;1;1\n`)
      expect(await pricing.import(idle.id, `${HEAD}A;${fresh()};x;1;1\n`)).toMatchObject({ status: 'completed' })
    })
  })

  it('a waiting task can be cancelled, and retried as a new one by the list as it is then', async () => {
    const article = fresh()
    const { id } = await pricing.newList()
    const cancelled = await heldBack(id, async () => {
      const task = await pricing.upload(id, `${HEAD}A;${article};x;1;100\n`)
      return pricing.ask(cancelImportTask, { id: task })
    })
    expect(cancelled).toMatchObject({
      status: 'failed',
      error_message: 'The import was cancelled by an administrator.',
    })
    await expect(pricing.ask(cancelImportTask, { id: cancelled.id })).rejects.toMatchObject({ code: 'CONFLICT' })
    await pricing.ask(patchPriceList, { id, patch: { markup_percent: 50 } })
    const retried = await pricing.ask(retryImportTask, { id: cancelled.id })
    expect(retried.id).toBeGreaterThan(cancelled.id)
    expect(await pricing.finish(retried.id)).toMatchObject({ status: 'completed', file_name: 'price.csv' })
    expect(await pricing.offers(article)).toMatchObject([{ price: 150 }])
    await expect(pricing.ask(retryImportTask, { id: retried.id })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await pricing.ask(listImportTasks, { ...page, price_list_id: id, status: 'failed' })).toMatchObject({
      total: 1,
      data: [{ id: cancelled.id }],
    })
  })

  it('a running import that is cancelled leaves the list as it was', async () => {
    const { id } = await pricing.newList()
    const live = await pricing.import(id, priceText(10, 1))
    const task = await pricing.upload(id, priceText(60_000, 2))
    await pricing.until(async () => ((await pricing.task(task)).processed_rows > 0 ? true : undefined))
    await pricing.ask(cancelImportTask, { id: task })
    expect(await pricing.finish(task)).toMatchObject({ status: 'failed' })
    expect(await pricing.import(id, priceText(10, 3))).toMatchObject({ status: 'completed' })
    expect((await versionsOf(id)).slice(1)).toEqual([String(live.id)])
    expect((await pricing.task(task)).processed_rows).toBeLessThan(60_000)
  })
})

describe('preview', () => {
  it('says what the import then does, and imports nothing', async () => {
    const article = fresh()
    const { id } = await pricing.newList({ markup_percent: 20 })
    const text = `Прайс;;;;\n${HEAD}A;${article};first;1;1\nA;${article};second;>5;2,50\n;x;y;1;1\n`
    const preview = await pricing.ask(previewUpload, { price_list_id: id, ...(await pricing.put(text)) })
    expect(preview).toEqual({
      encoding: 'utf-8',
      delimiter: ';',
      sheet: null,
      columns: { brand: 1, article: 2, name: 3, quantity: 4, price: 5 },
      rows: [{ brand: 'A', article, name: 'second', quantity: 5, price: 3, delivery_days: null }],
      rejected: [
        expect.objectContaining({ row: 1, code: 'PREAMBLE' }),
        expect.objectContaining({ row: 3, code: 'DUPLICATE' }),
        expect.objectContaining({ row: 5, code: 'NO_BRAND' }),
      ],
      totals: { rows: 4, importable: 1, skipped: 3 },
    })
    expect(await pricing.ask(listImportTasks, { ...page, price_list_id: id })).toMatchObject({ total: 0 })
    const task = await pricing.import(id, text)
    expect(task).toMatchObject({ total_rows: 4, imported_rows: 1, skipped_rows: 3 })
    const { data } = await pricing.ask(listSkippedRows, { id: task.id, ...page })
    expect(data).toEqual(preview.rejected)
    expect(await pricing.offers(article)).toMatchObject(preview.rows)
  })

  it('tells why a file cannot be read', async () => {
    const { id } = await pricing.newList()
    await expect(
      pricing.ask(previewUpload, { price_list_id: id, ...(await pricing.put('a;b\n1;2\n')) }),
    ).rejects.toMatchObject({
      code: 'INVALID_FILE',
      details: { reason: expect.stringContaining('No column was found') },
    })
  })
})
