import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectStatus, type Page } from '../testing/shop.js'
import { field, file, FORM_TYPE, formBody, type FormPart } from '@partsbus/test-kit/form'
import type { ImportTask } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const HEAD = 'Бренд;Артикул;Наименование;Количество;Цена\n'

interface Version {
  version: number
  task_id: number
  rows: number
  is_active: boolean
  created_at: string
}

interface List {
  id: number
  sources: Record<string, unknown>[]
  [field: string]: unknown
}

interface Found {
  brands: object[]
  asked: number
  also_in: object[]
}

type AdminTask = ImportTask & {
  file_name: string
  file_size: number
  rows_per_second: number | null
  superseded: boolean
}

const open = usePartner()

describe('administration of price lists', () => {
  let storage: number
  beforeAll(async () => {
    storage = await open().newStorage({ kind: 'price-list' }, 'Administered')
  })
  afterAll(() => open().ask())
  const admin = () => open().shop.admin
  const create = async (more: object = {}) =>
    expectStatus(await admin().post<List>('/price-lists', { name: 'L', storage_id: storage, ...more }), 201).body
  const send = (path: string, parts: readonly FormPart[]) =>
    admin().send<Record<string, unknown>>('POST', path, {
      body: formBody(parts),
      headers: { 'content-type': FORM_TYPE },
    })
  const bringIn = (list: number, rows: string, name?: string) => open().bringIn(list, HEAD + rows, name)

  // admin.md#price-list-storage
  it('creates a list with a storage of its own, which a search without pick-up points asks', async () => {
    await open().ask()
    const body = { name: 'With its storage', storage: { name: 'Its storage' }, in_search: true }
    const list = expectStatus(await admin().post<List>('/price-lists', body), 201)
    const id = list.body.storage_id as number
    expect(list.headers.etag).toBe('"1"')
    expect((await admin().get(`/storages/${id}`)).body).toEqual({
      id,
      name: 'Its storage',
      is_active: true,
      supplier: { kind: 'price-list' },
    })
    await bringIn(list.body.id, 'A;OWN-1;n;1;1\n')
    const brands = async () => (await admin().post<Found>('/search/brands', { article: 'own1' })).body
    expect(await brands()).toMatchObject({ brands: [{ storages: [{ storage_id: id }] }], asked: 1, also_in: [] })

    // admin.md#search-unasked, admin.md#storage-in-search
    await open().ask()
    const unasked = await brands()
    expect(unasked).toMatchObject({ brands: [], asked: 0 })
    expect(unasked.also_in).toEqual([{ storage_id: id, storage_name: 'Its storage' }])
    for (let time = 1; time <= 2; time += 1)
      expect((await admin().send('POST', `/storages/${id}/in-search`, {})).status).toBe(204)
    expect((await brands()).brands).toHaveLength(1)
    expect((await admin().send('POST', '/storages/987654321/in-search', {})).status).toBe(404)
    const { id: remote } = await open().newRemote('Other system')
    expect((await admin().send('POST', `/storages/${remote}/in-search`, {})).status).toBe(409)
  })

  // admin.md#price-list-storage
  it('leaves no storage behind when the list is refused', async () => {
    const storages = async () => (await admin().get<Page<object>>('/storages?per_page=1')).body.total
    const before = await storages()
    const sources = [{ kind: 'url', url: 'https://supplier.example/price.csv', password: '***' }]
    const refused = await admin().post('/price-lists', { name: 'L', storage: { name: 'S' }, sources })
    expect([refused.status, await storages()]).toEqual([422, before])
  })

  // admin.md#price-lists
  it('creates, reads, lists, updates and deletes a list; absent fields get their defaults', async () => {
    const list = await create()
    expect(list).toEqual({
      id: list.id,
      name: 'L',
      storage_id: storage,
      is_active: true,
      mode: 'replace',
      markup_percent: 0,
      min_rows_ratio: null,
      delivery_days: null,
      format: {},
      sources: [],
    })
    expect((await admin().get(`/price-lists/${list.id}`)).body).toEqual(list)
    const page = (await admin().get<Page<List>>('/price-lists?page=1&per_page=500')).body
    expect([Object.keys(page).toSorted(), page.data.find(({ id }) => id === list.id)]).toEqual([
      ['data', 'page', 'per_page', 'total'],
      { ...list, live: null, last_task: null, next_run_at: null },
    ])
    const changed = {
      ...list,
      markup_percent: 12.5,
      min_rows_ratio: 0.5,
      delivery_days: 3,
      mode: 'merge',
      is_active: false,
      name: 'M',
    }
    expect(
      (
        await admin().patch(`/price-lists/${list.id}`, {
          markup_percent: 12.5,
          min_rows_ratio: 0.5,
          delivery_days: 3,
          mode: 'merge',
          is_active: false,
          name: 'M',
        })
      ).body,
    ).toEqual(changed)
    expect((await admin().patch(`/price-lists/${list.id}`, changed)).body).toEqual(changed)
    expect((await admin().delete(`/price-lists/${list.id}`)).status).toBe(204)
    for (const answer of [
      await admin().get(`/price-lists/${list.id}`),
      await admin().patch(`/price-lists/${list.id}`, {}),
      await admin().delete(`/price-lists/${list.id}`),
    ])
      expect([answer.status, answer.body]).toEqual([404, { message: 'Not found.' }])
  })
  it.each<[object, string]>([
    [{ name: null }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(192) }, 'name'],
    [{ storage_id: 999_999 }, 'storage_id'],
    [{ storage_id: '1' }, 'storage_id'],
    [{ mode: 'append' }, 'mode'],
    [{ is_active: 1 }, 'is_active'],
    [{ markup_percent: '5' }, 'markup_percent'],
    [{ min_rows_ratio: 1.1 }, 'min_rows_ratio'],
    [{ min_rows_ratio: -0.1 }, 'min_rows_ratio'],
    [{ delivery_days: -1 }, 'delivery_days'],
    [{ delivery_days: 1.5 }, 'delivery_days'],
    [{ format: { encoding: 'latin1' } }, 'format.encoding'],
    [{ format: { delimiter: 'x' } }, 'format.delimiter'],
    [{ format: { skip_rows: -1 } }, 'format.skip_rows'],
    [{ format: { columns: { article: 0 } } }, 'format.columns.article'],
    [{ format: { columns: { brand: { value: '' } } } }, 'format.columns.brand'],
    [{ sources: [{ kind: 'fax' }] }, 'sources.0'],
    [{ sources: [{ kind: 'url', url: 'ftp://x' }] }, 'sources.0.url'],
  ])('422: %j on %s', async (fields, path) => {
    const answer = await admin().post<{ message: string; errors: object }>('/price-lists', {
      name: 'L',
      storage_id: storage,
      ...fields,
    })
    expect([answer.status, answer.body.message]).toEqual([422, 'The given data was invalid.'])
    expect(Object.keys(answer.body.errors)[0]).toMatch(new RegExp(`^${path}`))
  })
  it('returns 409 with the lists instead of deleting their storage', async () => {
    const other = await open().newStorage({ kind: 'price-list' })
    const list = await create({ name: 'The list that refers', storage_id: other })
    const answer = await admin().delete<{ message: string }>(`/storages/${other}`)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('The list that refers')])
    await admin().delete(`/price-lists/${list.id}`)
    expect((await admin().delete(`/storages/${other}`)).status).toBe(204)
  })
  // admin.md#sources, admin.md#secrets
  it('never shows passwords of sources, and keeps them when *** is sent back', async () => {
    const source = {
      kind: 'url',
      url: 'http://127.0.0.1:9/price.csv',
      username: 'u',
      password: 'top-secret-of-a-source',
      is_active: false,
      every_minutes: 30,
    }
    const { id, sources } = await create({
      sources: [
        source,
        { kind: 'ftp', host: 'ftp.example', is_active: false },
        { kind: 'email', host: 'imap.example', from: '*@x', is_active: false },
      ],
    })
    expect(sources[0]).toEqual({ ...source, id: expect.any(Number), password: '***', last_run: null })
    const read = (await admin().get<List>(`/price-lists/${id}`)).body
    expect((await admin().patch<List>(`/price-lists/${id}`, read)).body).toEqual(read)
    expect((await admin().patch<List>(`/price-lists/${id}`, { sources: read.sources })).body.sources).toEqual(
      read.sources,
    )
    for (const path of [`/price-lists/${id}`, '/price-lists?per_page=500', '/audit?per_page=500'])
      expect((await admin().get(path)).text).not.toContain('top-secret')
    expect((await admin().post(`/price-lists/${id}/sources/999/run`)).status).toBe(404)
  })

  // admin.md#price-list-format, rules.md#columns
  it('reads columns by number, letter or heading, a constant brand, a delimiter and an encoding', async () => {
    await open().ask(storage)
    const { id } = await create({
      format: {
        header: true,
        skip_rows: 1,
        delimiter: '|',
        encoding: 'windows-1251',
        columns: {
          brand: { value: 'Mine' },
          article: ['нет такой', 'Номер'],
          quantity: 'C',
          price: 2,
          name: 'Имя',
          delivery_days: [5],
        },
      },
    })
    const text = 'Бренд|Артикул\nНомер|x|y|Имя|d\nFM 1|10,5|7|Ж|9\n'
    const bytes = Buffer.from(
      [...text].map((letter) => (letter > '\u0400' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0))),
    )
    expect(await open().bringIn(id, bytes)).toMatchObject({ status: 'completed', imported_rows: 1, total_rows: 1 })
    expect((await open().post('/get-parts', { article: 'fm1', brands: ['mine'] })).body.parts).toEqual([
      {
        brand: 'MINE',
        article: 'FM 1',
        name: 'Ж',
        quantity: 7,
        price: 10.5,
        delivery_days: 9,
        storage_id: storage,
        storage_name: 'Administered',
      },
    ])
    await admin().patch(`/price-lists/${id}`, { is_active: false })
  })
  // rules.md#markup
  it('multiplies the price by (1 + markup_percent / 100) of the time of the upload, to two decimals', async () => {
    await open().ask(storage)
    const { id } = await create({ markup_percent: 10 })
    const price = async () =>
      (await open().post('/get-parts', { article: 'mk1', brands: ['A'] })).body.parts?.map((part) => part.price)
    await bringIn(id, 'A;MK1;n;1;99,99\n')
    expect(await price()).toEqual([109.99])
    await admin().patch(`/price-lists/${id}`, { markup_percent: -50 })
    expect(await price()).toEqual([109.99])
    await bringIn(id, 'A;MK1;n;1;99,99\n')
    expect(await price()).toEqual([50])
    await admin().patch(`/price-lists/${id}`, { is_active: false })
  })

  // admin.md#upload, partners.md#upload-4
  it('POST /price-lists/:id/upload as the B2B upload, with the reason; 404 for an unknown list', async () => {
    const { id } = await create()
    const done = await send(`/price-lists/${id}/upload`, [file(`${HEAD}A;AU1;n;1;1\n`)])
    expect([done.status, done.body]).toEqual([
      200,
      { result: true, message: 'Price list upload scheduled for import.', task_id: expect.any(Number) },
    ])
    expect(await open().finish(done.body['task_id'] as number)).toMatchObject({
      status: 'completed',
      source_type: 'manual',
      price_list_id: id,
    })
    const bad = await send(`/price-lists/${id}/upload`, [file(HEAD, 'x.exe')])
    expect([bad.status, bad.body.message]).toEqual([400, expect.stringMatching(/^Uploaded file is not valid\. .+/)])
    expect((await send(`/price-lists/${id}/upload`, [])).body).toEqual({
      message: 'The given data was invalid.',
      errors: { document: ['The document field is required.'] },
      violations: [{ path: 'document', rule: 'invalid' }],
    })
    expect((await send('/price-lists/999999/upload', [file(HEAD)])).status).toBe(404)
    await admin().patch(`/price-lists/${id}`, { is_active: false })
    expect((await send(`/price-lists/${id}/upload`, [file(HEAD)])).body).toEqual({
      message: 'Price list is not active.',
    })
  })
  // admin.md#preview
  it('POST /price-lists/:id/preview returns the result of an import without importing', async () => {
    const { id } = await create({ markup_percent: 100 })
    const more = Array.from({ length: 30 }, (_, at) => `B;P${at};n;1;1\n`).join('')
    const text = `${HEAD}A;PV 1;n;>5;2,50\n;x;n;1;1\nA;pv1;m;3;4\n${more}`
    const { status, body } = await send(`/price-lists/${id}/preview`, [file(text)])
    expect(status).toBe(200)
    expect(body).toMatchObject({
      encoding: 'utf-8',
      delimiter: ';',
      sheet: null,
      columns: { brand: 1, article: 2, name: 3, quantity: 4, price: 5 },
      totals: { rows: 33, importable: 31, skipped: 2 },
      rejected: [
        { row: 2, code: 'DUPLICATE' },
        { row: 3, code: 'NO_BRAND' },
      ],
    })
    expect((body['rows'] as object[])[0]).toEqual({
      row: 4,
      brand: 'A',
      article: 'pv1',
      name: 'm',
      quantity: 3,
      price: 8,
      delivery_days: null,
    })
    expect((body['rows'] as object[]).length).toBe(20)
    expect((await admin().get<Page<unknown>>(`/import-tasks?price_list_id=${id}`)).body.total).toBe(0)
    const task = await open().bringIn(id, text)
    expect([task.total_rows, task.imported_rows, task.skipped_rows]).toEqual([33, 31, 2])
    expect((await admin().get<Page<unknown>>(`/import-tasks/${task.id}/skipped`)).body.data).toEqual(body['rejected'])
  })

  // admin.md#versions, admin.md#rollback, rules.md#versions
  it('keeps three versions, newest first; rolls back to the previous or a given one; 409 when it is gone', async () => {
    const { id } = await create()
    const tasks: number[] = []
    for (const name of ['one', 'two', 'three', 'four'])
      tasks.push((await bringIn(id, `A;VR1;${name};1;1\nA;V${name};n;1;1\n`)).id)
    await open().ask(storage)
    const versions = async () => (await admin().get<Version[]>(`/price-lists/${id}/versions`)).body
    const live = async () =>
      (await open().post('/get-parts', { article: 'vr1', brands: ['A'] })).body.parts?.map(({ name }) => name)
    expect(await versions()).toEqual(
      [3, 2, 1].map((at) => ({
        version: expect.any(Number),
        number: at + 1,
        task_id: tasks[at],
        rows: 2,
        markup_percent: 0,
        delivery_days: null,
        is_active: at === 3,
        created_at: expect.stringMatching(/Z$/),
      })),
    )
    const [, three, two] = await versions()
    expect(await live()).toEqual(['four'])
    expect((await admin().post<Version[]>(`/price-lists/${id}/rollback`)).body.map((each) => each.is_active)).toEqual([
      false,
      true,
      false,
    ])
    expect(await live()).toEqual(['three'])
    expect((await admin().post(`/price-lists/${id}/rollback`, { version: two?.version })).status).toBe(200)
    expect(await live()).toEqual(['two'])
    for (const version of [undefined, 999_999])
      expect(
        (await admin().post(`/price-lists/${id}/rollback`, version === undefined ? undefined : { version })).status,
      ).toBe(409)
    expect((await admin().post(`/price-lists/${id}/rollback`, { version: 'x' })).status).toBe(422)
    expect((await admin().post(`/price-lists/${id}/rollback`, { version: three?.version })).status).toBe(200)
    await bringIn(id, 'A;VR1;five;1;1\n')
    expect([await live(), (await versions()).length]).toEqual([['five'], 3])
  })
  // rules.md#merge
  it('mode merge adds or replaces live rows by normalised brand and article', async () => {
    const { id } = await create({ mode: 'merge' })
    await bringIn(id, 'A;MG 1;old;1;1\nB;MG1;kept;1;1\n')
    await bringIn(id, '«a»;mg-1;new;2;2\nC;MG1;added;1;1\n')
    await open().ask(storage)
    expect(
      (await open().post('/get-parts', { article: 'mg1', brands: ['A', 'B', 'C'] })).body.parts
        ?.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['added', 'kept', 'new'])
  })
  // rules.md#rows-guard
  it('min_rows_ratio: a version with too few of the live rows fails, and the old one stays live', async () => {
    const { id } = await create({ min_rows_ratio: 0.5 })
    const rows = (count: number) => Array.from({ length: count }, (_, at) => `A;MR${at};n;1;1\n`).join('')
    const first = await bringIn(id, rows(10))
    expect(await bringIn(id, rows(4))).toMatchObject({ status: 'failed', error_message: expect.any(String) })
    expect((await admin().get<Version[]>(`/price-lists/${id}/versions`)).body).toMatchObject([
      { task_id: first.id, is_active: true },
    ])
    expect((await bringIn(id, rows(5))).status).toBe('completed')
  })

  describe('/import-tasks', () => {
    let list: number
    let task: AdminTask
    let failed: ImportTask
    beforeAll(async () => {
      list = (await create()).id
      const { id } = await bringIn(list, 'A;IT1;n;1;1\n;IT2;"no; brand";1;1\n', 'Прайс «май».csv')
      task = (await admin().get<AdminTask>(`/import-tasks/${id}`)).body
      failed = await open().bringIn(list, HEAD)
    })
    // admin.md#import-tasks
    it('the documented task, and what only administrators see', async () => {
      const partner = (await open().post('/get-price-list-status', { task_id: task.id })).body.task as ImportTask
      expect(task).toEqual({
        ...partner,
        file_name: 'Прайс «май».csv',
        file_size: Buffer.byteLength(`${HEAD}A;IT1;n;1;1\n;IT2;"no; brand";1;1\n`),
        rows_per_second: expect.any(Number),
        superseded: false,
        created_at: expect.any(String),
        created_by: expect.any(String),
        queue_position: null,
        skipped_by_code: { NO_BRAND: 1 },
        error_code: null,
        is_live: true,
        live_rows: 1,
        merged_into: null,
        warnings: [],
        retry_of: null,
      })
    })
    it('lists by price_list_id and status, newest first; 422 for an invalid status', async () => {
      const ids = async (query: string) =>
        (await admin().get<Page<AdminTask>>(`/import-tasks?${query}`)).body.data.map(({ id }) => id)
      expect(await ids(`price_list_id=${list}`)).toEqual([failed.id, task.id])
      expect([
        await ids(`price_list_id=${list}&status=completed`),
        await ids(`price_list_id=${list}&status=failed`),
        await ids(`price_list_id=${list}&status=pending`),
      ]).toEqual([[task.id], [failed.id], []])
      for (const query of ['status=done', 'price_list_id=x', 'per_page=0'])
        expect((await admin().get(`/import-tasks?${query}`)).status).toBe(422)
    })
    // admin.md#skipped, rules.md#skipped-rows
    it('skipped rows as JSON and as a CSV that can be corrected and uploaded again', async () => {
      expect((await admin().get<Page<unknown>>(`/import-tasks/${task.id}/skipped`)).body).toEqual({
        data: [
          { row: 3, code: 'NO_BRAND', message: 'The brand is missing.', cells: ['', 'IT2', 'no; brand', '1', '1'] },
        ],
        total: 1,
        page: 1,
        per_page: 50,
        header: { row: 1, cells: HEAD.trim().split(';') },
      })
      const csv = await admin().get(`/import-tasks/${task.id}/skipped.csv`)
      expect([csv.headers['content-type'], csv.text]).toEqual([
        'text/csv; charset=utf-8',
        expect.stringMatching(/^\ufeffБренд;Артикул;Наименование;Количество;Цена;[^\n]+\n;IT2;"no; brand";1;1;/),
      ])
      expect(await open().bringIn(list, csv.text.replace('\n;IT2', '\nNow there;IT2'))).toMatchObject({
        status: 'completed',
        imported_rows: 1,
        skipped_rows: 0,
      })
    })
    // admin.md#locale
    it.each([
      ['en', 'The brand is missing.'],
      ['ru', 'Нет бренда.'],
    ])('reasons in the language of the page: %s', async (language, reason) => {
      const headers = { cookie: `partsbus-language=${language}` }
      const rows = await admin().get(`/import-tasks/${task.id}/skipped`, { headers })
      expect(rows.body).toMatchObject({ data: [{ row: 3, message: reason }] })
      const csv = await admin().get(`/import-tasks/${task.id}/skipped.csv`, { headers })
      expect(csv.text).toContain(reason)
    })
    // admin.md#skipped-files, admin.md#offer-files
    it('skipped rows and live offers as files that an import reads', async () => {
      for (const path of [`import-tasks/${task.id}/skipped.xlsx`, `price-lists/${list}/offers.xlsx`]) {
        const { headers, bytes } = await admin().get(`/${path}`)
        expect(headers['content-type']).toMatch(/spreadsheetml\.sheet$/)
        const preview = await send(`/price-lists/${list}/preview`, [file(bytes, 'export.xlsx'), field('draft', '{}')])
        expect([preview.status, preview.body]).toMatchObject([200, { totals: { rows: 1 } }])
      }
    })
    it('the file as it was uploaded', async () => {
      const answer = await admin().get(`/import-tasks/${task.id}/file`)
      expect(answer.text).toBe(`${HEAD}A;IT1;n;1;1\n;IT2;"no; brand";1;1\n`)
      expect(answer.headers['content-disposition']).toContain(encodeURIComponent('Прайс «май».csv'))
    })
    it('events: the task, until its final state (admin.md#task-events)', async () => {
      const answer = await admin().get(`/import-tasks/${task.id}/events`)
      expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
      expect(JSON.parse(/^data: (.*)$/m.exec(answer.text)?.[1] ?? '')).toMatchObject({
        id: task.id,
        status: 'completed',
      })
    })
    // admin.md#task-retry
    it('retries a failed task as a new one; returns 409 for retry or cancel of a finished one', async () => {
      const retried = await admin().post<AdminTask>(`/import-tasks/${failed.id}/retry`)
      expect([retried.status, retried.body]).toMatchObject([200, { file_name: 'price.csv', retry_of: failed.id }])
      expect((await open().finish(retried.body.id)).status).toBe('failed')
      expect((await open().post('/get-price-list-status', { task_id: failed.id })).body.task).toEqual(failed)
      for (const path of [`${task.id}/retry`, `${task.id}/cancel`, `${failed.id}/cancel`])
        expect((await admin().post(`/import-tasks/${path}`)).status).toBe(409)
    })
    it.each(['', '/skipped', '/skipped.csv', '/file', '/events'])('404 for an unknown task%s', async (rest) => {
      expect((await admin().get(`/import-tasks/999999${rest}`)).status).toBe(404)
    })
  })
})
