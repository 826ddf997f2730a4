import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { listSkippedRows } from '@partsbus/contracts/pricing'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

let pricing: PricingUnderTest
beforeAll(async () => { pricing = await startPricing() })
afterAll(() => pricing.stop())

const HEAD = 'Бренд;Артикул;Наименование;Количество;Цена\n'

describe('an uploaded list', () => {
  it('becomes live, and the task tells its counts', async () => {
    const list = await pricing.newList({ markup_percent: 10, delivery_days: 3 })
    const task = await pricing.import(list.id, `${HEAD}Bosch;0 986-479W30;Диск;>10;1 234,50 руб\nBosch;X1;Фильтр;;5\nFEL-PRO;33-2247;Прокладка;-;2\n`)
    expect(task).toMatchObject({
      status: 'completed', status_label: 'Completed', source_type: 'manual', total_rows: 3, processed_rows: 3, imported_rows: 2, skipped_rows: 1,
      error_message: null, file_name: 'price.csv', superseded: false, started_at: expect.any(String), completed_at: expect.any(String),
    })
    expect(await pricing.offers('0986479w30')).toEqual([
      { storage_id: 7, brand: 'Bosch', article: '0 986-479W30', name: 'Диск', quantity: 10, price: 1357.95, delivery_days: 3 },
    ])
    expect(await pricing.offers('33-2247')).toEqual([])
    expect(await pricing.ask(listSkippedRows, { id: task.id, page: 1, per_page: 50 })).toMatchObject({
      total: 1, data: [{ row: 3, code: 'NO_QUANTITY', cells: ['Bosch', 'X1', 'Фильтр', '', '5'] }],
    })
  })

  it('of duplicates the last wins, the earlier ones are skipped with a code', async () => {
    const list = await pricing.newList()
    const task = await pricing.import(list.id, `${HEAD}A;D-1;one;1;1\nB;D-1;other;1;1\na;d1;two;2;2\nA;D 1;three;3;3\n`)
    expect(task).toMatchObject({ total_rows: 4, imported_rows: 2, skipped_rows: 2 })
    expect((await pricing.offers('D1')).map(({ name }) => name)).toEqual(['other', 'three'])
    const { data } = await pricing.ask(listSkippedRows, { id: task.id, page: 1, per_page: 50 })
    expect(data.map(({ row, code }) => [row, code])).toEqual([[2, 'DUPLICATE'], [4, 'DUPLICATE']])
  })
})
