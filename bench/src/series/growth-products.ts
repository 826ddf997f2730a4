import { Agent } from 'node:http'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { makeProducts, makeStocks } from '../clients/catalogue.js'
import type { Erp } from '../clients/erp.js'
import { send } from '../clients/http-call.js'
import { doublings, sampleTimes, spread, type Times } from './growth-reads.js'
import { type GrowthCost, GrowthMeter, sendPatiently } from './growth-series.js'
import { timedInFlight } from '../figures/measure.js'

const SIZE = 1_000
const IN_FLIGHT = 4
const STOCKS_IN_FLIGHT = 2
const STOCK_ROWS = 10
/** Products that are no part of the series: the services run optimised code afterwards. */
const WARM_UP = { first: 90_000_000, count: 10_000 }
const PAGE = 50
const SEARCHES = { least: 16, most: 100, withinMs: 4_000, share: 0.95 }
const PAGES = { least: 20, most: 100, withinMs: 2_000, share: 0.95 }

export interface ProductRow extends GrowthCost {
  /** `GET /products?q=` with p95 */
  search: Times
  /** the page after a random id */
  keyset: Times
  /** the page of a random number */
  page: Times
}

export type StockRow = GrowthCost

/** Pushes products through the ERP API until there are `last`, by doublings. */
export async function growProducts(
  product: RunningProduct,
  erp: Erp,
  { first, last, record }: { first: number; last: number; record: (row: ProductRow) => void },
): Promise<void> {
  await push(erp, WARM_UP.first, WARM_UP.count)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = async (query: string): Promise<number> =>
    (await send(agent, 'GET', `${product.url}/api/admin/products?per_page=${PAGE}&${query}`, product.adminToken)).status
  const meter = await GrowthMeter.open(product)
  let total = 0
  for (const next of doublings(first, last)) {
    const cost = await meter.measure(next, next - total, () => push(erp, total, next - total))
    total = next
    record({
      ...cost,
      search: await sampleTimes((turn) => get(`q=${encodeURIComponent(query(turn, next))}`), SEARCHES),
      keyset: await sampleTimes((turn) => get(`after_id=${spread(turn, next)}`), PAGES),
      page: await sampleTimes((turn) => get(`page=${1 + spread(turn, Math.ceil(next / PAGE))}`), PAGES),
    })
  }
  agent.destroy()
  await meter.close()
}

/** Pushes the products without measuring them, for a series that needs them. */
export async function fillProducts(erp: Erp, count: number): Promise<void> {
  await push(erp, 0, count)
}

/** Updates stock rows of the products that exist, again and again, in ten equal steps. */
export async function growStock(
  product: RunningProduct,
  erp: Erp,
  { products, rows, record }: { products: number; rows: number; record: (row: StockRow) => void },
): Promise<void> {
  const meter = await GrowthMeter.open(product)
  const each = Math.max(SIZE, Math.round(rows / STOCK_ROWS / SIZE) * SIZE)
  for (let step = 0; step < STOCK_ROWS; step += 1) {
    const batches = Array.from({ length: each / SIZE }, (_, at) => step * each + at * SIZE)
    const cost = await meter.measure((step + 1) * each, each, () =>
      timedInFlight(batches, STOCKS_IN_FLIGHT, (row) => {
        // each pass over the products writes other quantities
        const stocks = makeStocks(row % products, SIZE, 1 + Math.floor(row / products))
        return sendPatiently(erp, '/stocks/batch-update', JSON.stringify(stocks))
      }),
    )
    record(cost)
  }
  await meter.close()
}

async function push(erp: Erp, first: number, count: number): Promise<void> {
  const starts = Array.from({ length: count / SIZE }, (_, at) => first + at * SIZE)
  await timedInFlight(starts, IN_FLIGHT, (start) =>
    sendPatiently(erp, '/products/batch-upsert', JSON.stringify(makeProducts(start, SIZE, 0))),
  )
}

/** What people type, in turn: words of one name, an article, an ERP id, a word of a fifth of all names. */
function query(turn: number, products: number): string {
  const n = spread(turn, products)
  const [one] = makeProducts(n, 1, 0)
  return [one?.name, one?.article, one?.id_erp, 'амортизатор'][turn % 4] ?? ''
}
