import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { field, file } from '@partsbus/test-kit/form'
import { type ImportTask, INVALID } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const HEAD = 'Бренд;Артикул;Наименование;Количество;Цена;Срок\n'
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const FIELDS = [
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
]
const LABELS = {
  en: { completed: 'Completed', failed: 'Failed' },
  ru: { completed: 'Завершён', failed: 'Ошибка' },
} as const

const open = usePartner()

describe('POST /get-price-list-status', () => {
  let list: number
  let storage: number
  let done: ImportTask
  const good = `${HEAD}A;T 1;n;1;10;1\nB;T-1;n;2;;\n`
  beforeAll(async () => {
    ;({ id: list, storage } = await open().newList())
    done = await open().bringIn(list, good)
    await open().ask(storage)
  })
  afterAll(() => open().ask())

  describe('422 with the exact text, without result (partners.md#status-2)', () => {
    const REFUSED = JSON.stringify({ message: INVALID, errors: { task_id: ['The selected task_id is invalid.'] } })
    const known = () => done.id
    it.each<[string, (id: number) => string]>([
      ['missing', () => '{}'],
      ['null', () => '{"task_id":null}'],
      ['a string', (id) => `{"task_id":"${id}"}`],
      ['an empty string', () => '{"task_id":""}'],
      ['a fraction', (id) => `{"task_id":${id}.5}`],
      ['zero', () => '{"task_id":0}'],
      ['negative', (id) => `{"task_id":-${id}}`],
      ['a list', (id) => `{"task_id":[${id}]}`],
      ['an object', (id) => `{"task_id":{"$eq":${id}}}`],
      ['an operator', () => '{"task_id":{"$gt":0}}'],
      ['true', () => '{"task_id":true}'],
      ['false', () => '{"task_id":false}'],
      ['beyond safe integers', () => '{"task_id":9007199254740993}'],
      ['2^60', () => '{"task_id":1152921504606846976}'],
      ['30 digits', () => `{"task_id":${'9'.repeat(30)}}`],
      ['1e400', () => '{"task_id":1e400}'],
      ['unknown', () => '{"task_id":999999999}'],
      ['the name in another case', (id) => `{"Task_id":${id},"taskId":${id},"id":${id}}`],
      ['inside another', (id) => `{"__proto__":{"task_id":${id}}}`],
      ['a bare number', (id) => String(id)],
      ['in a list', (id) => `[{"task_id":${id}}]`],
      ['null itself', () => 'null'],
      ['twice, the last one wrong', (id) => `{"task_id":${id},"task_id":"x"}`],
    ])('task_id %s', async (_what, body) => {
      const answer = await open().post('/get-price-list-status', body(known()), {
        'content-type': 'application/json',
      })
      expect([answer.status, answer.text]).toEqual([422, REFUSED])
    })
    it('in the query, or in no body at all', async () => {
      for (const path of ['/get-price-list-status', `/get-price-list-status?task_id=${known()}`]) {
        const answer = await open().post(path)
        expect([answer.status, answer.text]).toEqual([422, REFUSED])
      }
    })
  })

  it.each<[string, (id: number) => string]>([
    ['as it is', (id) => `{"task_id":${id}}`],
    ['as 1.0', (id) => `{"task_id":${id}.0}`],
    ['among other fields', (id) => `{"x":1,"task_id":${id},"__proto__":{}}`],
    ['behind a byte order mark', (id) => `\ufeff{"task_id":${id}}`],
    ['twice, the last one right', (id) => `{"task_id":"x","task_id":${id}}`],
  ])('200 for the id %s (partners.md#status-1)', async (_what, body) => {
    expect(
      (await open().post('/get-price-list-status', body(done.id), { 'content-type': 'application/json' })).body,
    ).toEqual({ result: true, message: 'OK', task: done })
  })

  // partners.md#import-task
  it('the task has exactly the documented fields with their types', () => {
    expect(Object.keys(done).toSorted()).toEqual(FIELDS.toSorted())
    expect(done).toEqual({
      id: done.id,
      price_list_id: list,
      status: 'completed',
      status_label: 'Completed',
      source_type: 'manual',
      total_rows: 2,
      processed_rows: 2,
      imported_rows: 2,
      skipped_rows: 0,
      error_message: null,
      started_at: expect.stringMatching(MOMENT),
      completed_at: expect.stringMatching(MOMENT),
    })
    expect(Date.parse(done.started_at ?? '')).toBeLessThanOrEqual(Date.parse(done.completed_at ?? ''))
  })

  // rules.md#task-life
  it('goes from pending to processing to completed, with consistent counters at every reading', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => (at % 10 === 0 ? ';;;;;x' : `A;N ${at};n;${at};1,5;2`)).join(
      '\n',
    )
    const { body } = expectStatus(await open().upload([field('id', list), file(HEAD + rows)]), 200)
    const seen: ImportTask[] = []
    const order = ['pending', 'processing', 'completed']
    const end = performance.now() + 80_000
    do {
      const { task } = (await open().post('/get-price-list-status', { task_id: body.task_id })).body as {
        task: ImportTask
      }
      const before = seen.at(-1)
      expect(Object.keys(task).toSorted()).toEqual(FIELDS.toSorted())
      expect(task.imported_rows + task.skipped_rows).toBe(task.processed_rows)
      expect(task.processed_rows).toBeLessThanOrEqual(task.total_rows)
      expect([task.started_at === null, task.completed_at === null, task.error_message]).toEqual([
        task.status === 'pending',
        task.status !== 'completed',
        null,
      ])
      expect(order.indexOf(task.status)).toBeGreaterThanOrEqual(order.indexOf(before?.status ?? 'pending'))
      for (const counter of ['total_rows', 'processed_rows', 'imported_rows', 'skipped_rows'] as const)
        expect(task[counter]).toBeGreaterThanOrEqual(before?.[counter] ?? 0)
      if (before?.started_at) expect(task.started_at).toBe(before.started_at)
      seen.push(task)
    } while (seen.at(-1)?.status !== 'completed' && performance.now() < end)
    expect(seen.at(-1)).toMatchObject({
      status: 'completed',
      total_rows: 20_000,
      processed_rows: 20_000,
      imported_rows: 18_000,
      skipped_rows: 2_000,
    })
    await open().bringIn(list, good)
  }, 150_000)

  // rules.md#task-end
  it.each<[string, string, object]>([
    ['a header alone', HEAD, { total_rows: 0 }],
    ['no columns', 'просто текст\nбез таблицы\n', { imported_rows: 0 }],
    [
      'no importable row',
      `${HEAD};x;n;1;1;1\nA;;n;1;1;1\nA;1;n;много-много;1;1\nA;1;n;1;минус;1\nA;1;n;1;-5;1\n`,
      { total_rows: 5, processed_rows: 5, skipped_rows: 5 },
    ],
  ])('fails with a message for the partner and keeps the old list: %s', async (_what, text, counters) => {
    const task = await open().bringIn(list, text)
    expect(task).toMatchObject({
      status: 'failed',
      status_label: 'Failed',
      imported_rows: 0,
      error_message: expect.stringMatching(/^[A-Z].{10,}/),
      completed_at: expect.stringMatching(MOMENT),
      ...counters,
    })
    expect(task.error_message).not.toMatch(/Error|undefined|null|mongo|at \/|node_modules/i)
    expect((await open().post('/get-parts', { article: 't1', brands: ['A', 'B'] })).body.parts).toHaveLength(2)
  })

  // rules.md#status-label
  it('status_label is in the locale of admin_locale, at once and for every task', async () => {
    const failed = await open().bringIn(list, HEAD)
    try {
      for (const locale of ['ru', 'en'] as const) {
        await open().shop.set({ admin_locale: locale })
        for (const [id, status] of [
          [done.id, 'completed'],
          [failed.id, 'failed'],
        ] as const) {
          const { task } = (await open().post('/get-price-list-status', { task_id: id })).body
          expect(task).toMatchObject({ status, status_label: LABELS[locale][status] })
        }
      }
    } finally {
      await open().shop.set({ admin_locale: 'en' })
    }
  })

  it('the new list replaces the old one as a whole (rules.md#switch)', async () => {
    const brands = async () =>
      (await open().post('/get-brands', { article: 't1' })).body.brands?.map(({ brand }) => brand)
    expect(await brands()).toEqual(['A', 'B'])
    await open().bringIn(list, `${HEAD}C;T1;n;1;10;1\n`)
    expect(await brands()).toEqual(['C'])
    await open().bringIn(list, good)
    expect(await brands()).toEqual(['A', 'B'])
  })

  describe('the result of a row', () => {
    const cases: [cells: string, part: object | string][] = [
      ['A;R1;n;5;1 234,50 руб;2-3', { quantity: 5, price: 1234.5, delivery_days: 3 }],
      ['A;R1;n;>10;"2.500,54";5 дней', { quantity: 10, price: 2500.54, delivery_days: 5 }],
      ['A;R1;n;10+;"1,234.50";0', { quantity: 10, price: 1234.5, delivery_days: 0 }],
      ['A;R1;n;более 50;;', { quantity: 50 }],
      ['A;R1;n;есть;1;', { quantity: 1, price: 1 }],
      ['A;R1;=1+1;1;0;', { quantity: 1, price: 0, name: '=1+1' }],
      ['«a»;"r 1";"two\nlines";3;1;1', { brand: 'A', article: 'r 1', name: 'two\nlines', quantity: 3 }],
      ['A;R1;n;0;1;', 'imported'],
      ['A;R1;n;-;1;', 'imported'],
      [';R1;n;1;1;', 'NO_BRAND'],
      ['A;;n;1;1;', 'NO_ARTICLE'],
      ['A;---;n;1;1;', 'NO_ARTICLE'],
      ['A;R1;n;;1;', 'NO_QUANTITY'],
      ['A;R1;n;-5;1;', 'BAD_QUANTITY'],
      ['A;R1;n;x;1;', 'BAD_QUANTITY'],
      ['A;R1;n;1;0,1,2;', 'BAD_PRICE'],
      ['A;R1;n;1;-5;', 'NEGATIVE_PRICE'],
      ['A;R1;n;1;1;скоро', 'BAD_DELIVERY_DAYS'],
      ['A;R1;n;1;1;-3', 'BAD_DELIVERY_DAYS'],
      [`A;${'x'.repeat(192)};n;1;1;`, 'TOO_LONG'],
      ['A;r-1;n;7;7;7\nA;R1;n;8;8;8', { quantity: 8, price: 8 }],
    ]
    // rules.md#importable, rules.md#reading, rules.md#duplicates
    it('each row is imported as it reads, or skipped with its code', async () => {
      for (const [cells, expected] of cases) {
        const { body } = expectStatus(
          await open().upload([field('id', list), file(`${HEAD}Z;Z;z;1;1;1\n${cells}\n`)]),
          200,
        )
        const task = await open().finish(body.task_id ?? 0)
        const { parts } = (await open().post('/get-parts', { article: 'r1', brands: ['A'] })).body
        const codes = (
          await open().shop.admin.get<{ data: { code: string; row: number }[] }>(`/import-tasks/${task.id}/skipped`)
        ).body.data.map(({ code }) => code)
        if (expected === 'imported') expect([cells, parts, codes, task.imported_rows]).toEqual([cells, [], [], 2])
        else if (typeof expected === 'string') expect([cells, parts, codes]).toEqual([cells, [], [expected]])
        else expect([cells, parts]).toEqual([cells, [expect.objectContaining({ brand: 'A', ...expected })]])
      }
    }, 120_000)
  })
})
