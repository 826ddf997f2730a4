import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  acceptUpload,
  getPriceList,
  listSkippedRows,
  patchPriceList,
  previewUpload,
} from '@partsbus/contracts/pricing-import/commands'
import { type PricingUnderTest, startPricing, STORAGE } from '../testing/pricing-under-test.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing.stop())

const HOSTILE = ['$where', 'a.b', '$secret', '__proto__', 'constructor', '{"$ne": null}', '$$NOW', "'; return true; //"]

// promises.md#promise-7
it.each(HOSTILE)('the text %j is a name, a heading, a cell, a brand, and no more', async (text) => {
  const columns = { brand: [text, 'Бренд'], article: text, quantity: 'Количество', price: [text, 'Цена'] }
  const { id } = await pricing.newList({
    name: text,
    format: { columns, sheet: text },
    sources: [{ kind: 'url', url: 'https://supplier.example/x.csv', username: text, password: text, is_active: false }],
  })
  expect(await pricing.ask(getPriceList, { id })).toMatchObject({
    name: text,
    format: { columns, sheet: text },
    sources: [{ username: text, password: '***' }],
  })
  expect(await pricing.ask(patchPriceList, { id, patch: { name: `${text}.x`, format: { columns } } })).toMatchObject({
    name: `${text}.x`,
  })
  const quoted = `"${text.replaceAll('"', '""')}"`
  const head = `Бренд;${quoted};Наименование;Количество;Цена`
  const file = `${head}\nKYB;OP-1;${quoted};5;10\n;;${quoted};${quoted};${quoted}\n`
  const columnsOfFile = { brand: 'Бренд', article: text, quantity: 'Количество', price: 'Цена' }
  await pricing.ask(patchPriceList, { id, patch: { format: { columns: columnsOfFile } } })
  const upload = async () => ({ price_list_id: id, ...(await pricing.put(file, `${text.replaceAll('/', '')}.csv`)) })
  expect((await pricing.ask(previewUpload, await upload())).rows).toMatchObject([
    { brand: 'KYB', article: 'OP-1', name: text },
  ])
  const { task_id } = await pricing.ask(acceptUpload, await upload())
  expect(await pricing.finish(task_id)).toMatchObject({
    status: 'completed',
    imported_rows: 1,
    skipped_rows: 1,
    file_name: `${text.replaceAll('/', '')}.csv`,
  })
  expect((await pricing.ask(listSkippedRows, { id: task_id, page: 1, per_page: 5 })).data).toMatchObject([
    { cells: ['', '', text, text, text] },
  ])
  expect(await pricing.offers('OP-1')).toContainEqual({
    storage_id: STORAGE,
    brand: 'KYB',
    article: 'OP-1',
    name: text,
    quantity: 5,
    price: 10,
    delivery_days: null,
  })
})
