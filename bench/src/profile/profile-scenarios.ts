import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { Readable } from 'node:stream'
import { makeProducts, makeStocks } from '../clients/catalogue.js'
import { type Erp, sendBatch } from '../clients/erp.js'
import { connectPartner, type Partner } from '../clients/partner.js'
import { csvPieces } from '../clients/price-rows.js'
import type { Yardstick } from '../yardsticks/yardstick.js'

const SIZE = 1_000
const FIRST = 30_000_000
const LIST_ROWS = 1_000
const SMALL_ROWS = 10

export interface Scenario {
  what: string
  /** units that one pass runs */
  count: number
  width: number
  run(turn: number): Promise<void>
  /** the same by the driver alone, where there is such a thing */
  byHand?: (turn: number) => Promise<void>
}

export interface Scenarios {
  list: Scenario[]
  close(): void
}

/** Each scenario runs three passes: a warm-up, a measured and a profiled one. `turn` counts through all of them. */
export async function makeScenarios(product: RunningProduct, erp: Erp, yardstick: Yardstick): Promise<Scenarios> {
  const partner = await connectPartner(product)
  const search = await prepareSearch(partner)
  const lists = await Promise.all(
    Array.from({ length: 4 }, async () => partner.createList(await partner.createStorage({ kind: 'price-list' }))),
  )
  const small = Buffer.from([...csvPieces(SMALL_ROWS)].join(''))
  const batches = 12
  const products = (turn: number, version: number): string =>
    JSON.stringify(makeProducts(FIRST + turn * SIZE, SIZE, version))
  const upsert = (body: string): Promise<void> => sendBatch(erp, '/products/batch-upsert', body)
  const perBatch = { count: batches, width: 4 }
  const updateStocks = (version: (turn: number) => number) => (turn: number) =>
    sendBatch(erp, '/stocks/batch-update', stocks(turn, version(turn)))
  const stocks = (turn: number, version: number): string =>
    JSON.stringify(makeStocks(FIRST + turn * SIZE, SIZE, version))
  const byHand = (version: number) => (turn: number) => yardstick.upsertProducts(products(turn, version))
  return {
    list: [
      {
        what: 'a small request',
        count: 2_000,
        width: 4,
        run: () => sendBatch(erp, '/products/delete', '{"ids_erp":[]}'),
      },
      { what: 'products created', ...perBatch, run: (turn) => upsert(products(turn, 0)), byHand: byHand(0) },
      { what: 'products changed', ...perBatch, run: (turn) => upsert(products(turn, 1)), byHand: byHand(1) },
      {
        what: 'products unchanged',
        ...perBatch,
        run: (turn) => upsert(products(turn, 1)),
        byHand: (turn) => yardstick.readProducts(products(turn, 1)),
      },
      {
        what: 'products created, every slug taken',
        ...perBatch,
        // the names and articles of the changed products, under other ERP ids
        run: (turn) => upsert(products(turn, 1).replaceAll('"id_erp":"', '"id_erp":"other-')),
      },
      {
        what: 'stock, first',
        ...perBatch,
        run: updateStocks(() => 0),
        byHand: (turn) => yardstick.updateStocks(stocks(turn, 0)),
      },
      {
        what: 'stock, changed',
        ...perBatch,
        run: updateStocks(() => 1),
        byHand: (turn) => yardstick.updateStocks(stocks(turn, 1)),
      },
      {
        what: 'a search in one price list',
        count: 500,
        width: 4,
        run: search,
      },
      {
        what: 'an import of 10 rows',
        count: 24,
        width: 2,
        run: async (turn) => {
          const file = { name: 'small.csv', size: small.length, open: () => Readable.from([small]) }
          await partner.follow(await partner.upload(lists[turn % lists.length] ?? 0, file))
        },
      },
    ],
    close: () => partner.close(),
  }
}

async function prepareSearch(partner: Partner): Promise<(turn: number) => Promise<void>> {
  const storageId = await partner.createStorage({ kind: 'price-list' })
  const text = Buffer.from([...csvPieces(LIST_ROWS)].join(''))
  const listId = await partner.createList(storageId)
  await partner.follow(
    await partner.upload(listId, { name: 'list.csv', size: text.length, open: () => Readable.from([text]) }),
  )
  await partner.admin('PATCH /settings', { body: { storages_for_crosses: [storageId] } })
  return async (turn) => {
    const n = turn % LIST_ROWS
    const query = JSON.stringify({ article: `A-${n}-${n % 13}`, brands: [`BRAND-${n % 97}`] })
    const answer = await partner.post('/get-parts', query)
    if (answer.status !== 200) throw new Error(`get-parts answered ${answer.status}: ${answer.body.slice(0, 300)}`)
  }
}
