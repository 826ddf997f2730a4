import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { makeProducts } from '../clients/catalogue.js'
import type { Erp } from '../clients/erp.js'
import { peakMemory } from '../meters/processes.js'
import { type Figure, timedInFlight, toFigure } from '../figures/measure.js'

const PRODUCTS = 100_000
const SIZE = 1_000
const FIRST = 2_000_000
const LIMIT_MB = 256

/** Peak memory of each service since its start, after pushing 100,000 more products, four batches at a time. */
export async function benchMemory(product: RunningProduct, erp: Erp): Promise<Figure[]> {
  const batches = Array.from({ length: PRODUCTS / SIZE }, (_, index) => FIRST + index * SIZE)
  const ms = await timedInFlight(batches, 4, async (first) => {
    const answer = await erp.post('/products/batch-upsert', JSON.stringify(makeProducts(first, SIZE, 0)))
    if (answer.status !== 200) throw new Error(`batch-upsert answered ${answer.status}: ${answer.body.slice(0, 300)}`)
  })
  const services = new Set(product.processes().flatMap((one) => (one.management_port === undefined ? [] : [one.name])))
  const peaks = peakMemory(product).filter(({ name }) => services.has(name))
  return peaks.map(({ name, mb: value }) => {
    return toFigure({
      what: `peak RSS of ${name} while 100,000 products are pushed`,
      value,
      digits: 0,
      unit: 'MB',
      detail: `${Math.round(PRODUCTS / (ms / 1_000))} products a second`,
      most: LIMIT_MB,
    })
  })
}
