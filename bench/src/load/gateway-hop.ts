import { deactivateProducts, upsertProducts } from '@partsbus/contracts/catalog/commands'
import type { BatchCommand, Command } from '@partsbus/contracts/message'
import { BusClient } from '@partsbus/platform/bus/client'
import { connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import autocannon from 'autocannon'
import { makeProducts } from '../clients/catalogue.js'
import type { Erp } from '../clients/erp.js'
import { type Figure, median, percentile, round, timed, toFigure } from '../figures/measure.js'

const REQUESTS = { small: 3_000, large: 150 }
const WIDTH = 32
const FULL = { seconds: 6 }

/**
 * The time that the gateway adds to two requests that the catalog answers without the database: a delete of nothing,
 * and a batch of 800 KiB whose last item is invalid.
 */
export async function benchGateway(product: RunningProduct, erp: Erp, { seconds } = FULL): Promise<Figure[]> {
  const url = product.busUrl() ?? ''
  const bus = await connectBus({ url, name: 'bench', log: createLog('bench', 'silent') })
  const calls = new BusClient(bus, createMetrics('bench'))
  const small = '{"ids_erp":[]}'
  const items = makeProducts(0, 1_000, 0)
  while (Buffer.byteLength(JSON.stringify(items)) < 800 * 1024) items.push(...makeProducts(items.length, 10, 0))
  const large = JSON.stringify([...items, { id_erp: '' }].slice(-1_000))
  const figures = [
    await added('a small request', deactivateProducts, '/products/delete', small, REQUESTS.small, 0.5),
    await added(
      `a batch of ${Math.round(Buffer.byteLength(large) / 1024)} KiB`,
      upsertProducts,
      '/products/batch-upsert',
      large,
      REQUESTS.large,
      4,
    ),
    await throughput(),
  ]
  await bus.nc.close()
  return figures

  async function added(
    what: string,
    command: Command | BatchCommand,
    path: string,
    body: string,
    count: number,
    goal: number,
  ): Promise<Figure> {
    const bytes = Buffer.from(body)
    const direct: number[] = []
    const through: number[] = []
    for (let turn = 0; turn < count + count / 5; turn += 1) {
      const first = await timed(() => calls.forward(command, bytes).catch(() => undefined))
      // both sides send bytes: a client needs 1.5 ms to encode the large body
      const second = await timed(() => erp.post(path, bytes))
      if (turn < count / 5) continue
      direct.push(first)
      through.push(second)
    }
    const value = median(through) - median(direct)
    return toFigure({
      what: `gateway adds to ${what}, p50`,
      value,
      unit: 'ms',
      detail: [
        `direct ${round(median(direct))} ms, through the gateway ${round(median(through))} ms`,
        `p99 ${round(percentile(direct, 0.99))} and ${round(percentile(through, 0.99))} ms`,
      ].join('; '),
      most: goal,
    })
  }

  async function throughput(): Promise<Figure> {
    const ratios: number[] = []
    const rates: Array<[number, number]> = []
    for (let turn = 0; turn < 4; turn += 1) {
      const direct = await directRate()
      const result = await autocannon({
        url: `${product.url}/api/erp/products/delete`,
        connections: WIDTH,
        duration: seconds,
        method: 'POST',
        body: small,
        headers: { authorization: `Bearer ${erp.token}`, 'content-type': 'application/json' },
      })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`)
      if (turn === 0) continue
      ratios.push(result.requests.average / direct)
      rates.push([direct, result.requests.average])
    }
    const value = median(ratios)
    const each = (side: 0 | 1): number => Math.round(median(rates.map((pair) => pair[side])))
    return toFigure({
      what: 'gateway throughput with one hop, 32 connections, against direct NATS',
      value,
      unit: '×',
      detail: `direct ${each(0)} a second, through the gateway ${each(1)}`,
      least: 0.3,
    })
  }

  async function directRate(): Promise<number> {
    const bytes = Buffer.from(small)
    const end = performance.now() + seconds * 1_000
    let count = 0
    await Promise.all(
      Array.from({ length: WIDTH }, async () => {
        while (performance.now() < end) {
          await calls.forward(deactivateProducts, bytes)
          count += 1
        }
      }),
    )
    return count / seconds
  }
}
