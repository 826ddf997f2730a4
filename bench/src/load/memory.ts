import { readFileSync } from 'node:fs'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { makeProducts } from '../clients/catalogue.js'
import type { Erp } from '../clients/erp.js'
import { type Figure, round, timedInFlight } from '../figures/measure.js'

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
  const services = product.processes().filter((one) => one.management_port !== undefined)
  return services.map(({ name, pid }) => {
    const value = peakMb(pid)
    return {
      what: `peak RSS of ${name} while 100,000 products are pushed`,
      value: round(value, 0),
      unit: 'MB',
      goal: `≤ ${LIMIT_MB}`,
      reached: value <= LIMIT_MB,
      detail: `${Math.round(PRODUCTS / (ms / 1_000))} products a second`,
    }
  })
}

function peakMb(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1024
}
