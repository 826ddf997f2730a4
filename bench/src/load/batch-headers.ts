import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { makeProducts, makeStocks } from '../clients/catalogue.js'
import { type Erp, sendBatch } from '../clients/erp.js'
import { type Figure, median, round, toFigure } from '../figures/measure.js'
import { processorMs } from '../meters/processes.js'

const ROUNDS = 7
/** Batches of one measurement: processor time is counted in hundredths of a second. */
const BATCHES = 12
const SIZE = 1_000
const FIRST = 950_000
/** Every optional header, each with a value that changes no data. */
const HEADERS = { 'x-result-details': '1', 'x-update-mode': 'merge', 'x-error-policy': 'reject-batch' }

/**
 * What the optional headers of a batch cost, in processor time of all processes: the same batches with and without
 * them, in turn. A batch without them is what every ERP sent before there were any.
 */
export async function benchBatchHeaders(product: RunningProduct, erp: Erp): Promise<Figure[]> {
  const products = JSON.stringify(makeProducts(FIRST, SIZE, 0))
  await sendBatch(erp, '/products/batch-upsert', products)
  return [
    await compare('products/batch-upsert, unchanged', '/products/batch-upsert', products),
    await compare('stocks/batch-update', '/stocks/batch-update', JSON.stringify(makeStocks(FIRST, SIZE, 0))),
  ]

  async function compare(what: string, path: string, body: string): Promise<Figure> {
    const pairs: Array<[plain: number, detailed: number]> = []
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      // the second of two has warmer caches
      const order = turn % 2 === 0 ? [{}, HEADERS] : [HEADERS, {}]
      const times = new Map<object, number>()
      for (const headers of order) {
        const before = processorMs(product)
        for (let batch = 0; batch < BATCHES; batch += 1) await sendBatch(erp, path, body, headers)
        times.set(headers, (processorMs(product) - before) / BATCHES)
      }
      const plain = [...times].find(([headers]) => headers !== HEADERS)?.[1] ?? NaN
      if (turn > 0) pairs.push([plain, times.get(HEADERS) ?? NaN])
    }
    const value = median(pairs.map(([plain, detailed]) => detailed / plain))
    const each = (side: 0 | 1): number => round(median(pairs.map((pair) => pair[side])), 1)
    return toFigure({
      what: `processor time of ${what}, with all optional headers against without`,
      value,
      unit: '×',
      detail: `${each(0)} ms a batch without, ${each(1)} ms with them`,
      most: 1.15,
    })
  }
}
