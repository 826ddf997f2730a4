import type { RunningProduct } from '@partsbus/local-stack/running-product'
import autocannon from 'autocannon'
import type { Erp } from '../clients/erp.js'
import { type FakeSuppliers, startFakeSuppliers } from '../clients/fake-suppliers.js'
import { type Figure, median, percentile, round, toFigure } from '../figures/measure.js'
import type { Partner } from '../clients/partner.js'
import { scaled } from '../runs/scale.js'

const SUPPLIERS = 32
const ANSWER_MS = 20
const LIMIT_MS = 500
const QUERIES = 400
/** Warm-up queries, until all processes run optimised code. */
const WARM_UP = 400
const FAILURES = 5
const AFTER = 40
const ADDED_MS = 8
const WIDTH = 32
const SECONDS = 5
const ROUNDS = 3

/** Searches over 32 HTTP suppliers that answer after 20 ms. */
export async function benchSuppliers(
  product: RunningProduct,
  partner: Partner,
  erp: Erp,
  scale: number,
): Promise<Figure[]> {
  const suppliers = await startFakeSuppliers(SUPPLIERS, ANSWER_MS)
  try {
    const ids: number[] = []
    for (const base_url of suppliers.urls)
      ids.push(
        await partner.createStorage({
          kind: 'http',
          base_url,
          timeout_ms: LIMIT_MS,
          cache_seconds: 3_600,
          dialect: 'standard',
        }),
      )
    await partner.admin('PATCH /settings', { body: { storages_for_crosses: ids } })
    let asked = 0
    const ask = async (mayMiss = false): Promise<{ ms: number; above: number }> => {
      suppliers.slowest()
      const start = performance.now()
      const answer = await partner.post(
        '/get-parts',
        JSON.stringify({ article: `Q-${(asked += 1)}`, brands: ['BOSCH'] }),
      )
      const ms = performance.now() - start
      if (answer.status !== 200) throw new Error(`get-parts answered ${answer.status}: ${answer.body.slice(0, 300)}`)
      if (!mayMiss && !answer.body.includes('"message":"OK"'))
        throw new Error(`not every supplier answered: ${String(answer.headers['x-suppliers'])}`)
      return { ms, above: ms - suppliers.slowest() }
    }
    const queries = scaled(QUERIES, scale, 20)
    for (let turn = 0; turn < scaled(WARM_UP, scale, 20); turn += 1) await ask()
    const all = []
    for (let turn = 0; turn < queries; turn += 1) all.push(await ask())
    return [spread(all), await dead(suppliers, ask), ...(await cached(product, partner, erp, ids, scale))]
  } finally {
    await partner.admin('PATCH /settings', { body: { storages_for_crosses: [] } })
    await suppliers.close()
  }
}

function spread(all: Array<{ ms: number; above: number }>): Figure {
  const above = all.map((one) => one.above)
  const whole = all.map(({ ms }) => ms)
  const value = percentile(above, 0.99)
  return toFigure({
    what: `get-parts over ${SUPPLIERS} suppliers of ${ANSWER_MS} ms each, p99 above the slowest`,
    value,
    unit: 'ms',
    detail: [
      `p50 ${round(median(above))} ms above`,
      `whole answer ${quantiles(whole)}`,
      `${all.length} queries, one at a time`,
    ].join('; '),
    most: ADDED_MS,
  })
}

/** One supplier stops answering: the delay of the first five queries, and of later ones. */
async function dead(suppliers: FakeSuppliers, ask: (mayMiss?: boolean) => Promise<{ ms: number }>): Promise<Figure> {
  const before: number[] = []
  for (let turn = 0; turn < AFTER; turn += 1) before.push((await ask()).ms)
  suppliers.dead = 7
  const first: number[] = []
  for (let turn = 0; turn < FAILURES; turn += 1) first.push((await ask(true)).ms)
  const after: number[] = []
  for (let turn = 0; turn < AFTER; turn += 1) after.push((await ask(true)).ms)
  const value = median(after) - median(before)
  const costsItsLimit = first.every((ms) => ms >= LIMIT_MS && ms < LIMIT_MS + 100)
  return {
    what: `one dead supplier among ${SUPPLIERS}, added to a query after the first five, p50`,
    value: round(value),
    unit: 'ms',
    goal: `≤ ${ADDED_MS}; the first five within its limit of ${LIMIT_MS} ms + 100`,
    reached: costsItsLimit && value <= ADDED_MS,
    detail: [
      `the first five took ${first.map((ms) => Math.round(ms)).join(', ')} ms`,
      `then ${quantiles(after)}`,
      `before ${quantiles(before)}`,
    ].join('; '),
  }
}

const quantiles = (times: number[]): string =>
  `p50 ${round(median(times))} ms, p99 ${round(percentile(times, 0.99))} ms`

/** The same query repeatedly, answered from the cache, against a request through the gateway to one service. */
async function cached(
  product: RunningProduct,
  partner: Partner,
  erp: Erp,
  ids: number[],
  scale: number,
): Promise<Figure[]> {
  const seconds = Math.max(1, Math.round(SECONDS * Math.min(1, scale * 10)))
  const healthy = ids.filter((_, index) => index !== 7)
  const figures: Figure[] = []
  for (const storages of [healthy.slice(0, 1), healthy]) {
    await partner.admin('PATCH /settings', { body: { storages_for_crosses: storages } })
    const query = JSON.stringify({ article: 'CACHED', brands: ['BOSCH'] })
    await partner.post('/get-parts', query)
    const pairs: number[][] = []
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      const hop = await rate(`${product.url}/api/erp/products/delete`, erp.token, '{"ids_erp":[]}', seconds)
      const mine = await rate(`${product.url}/api/b2b/get-parts`, partner.token, query, seconds)
      // the first round is a warm-up
      if (turn > 0) pairs.push([mine, hop])
    }
    const value = median(pairs.map(([mine = NaN, hop = NaN]) => mine / hop))
    const each = (side: number): number => Math.round(median(pairs.map((pair) => pair[side] ?? NaN)))
    const suppliers = storages.length === 1 ? 'one supplier' : `${storages.length} suppliers`
    figures.push({
      what: `throughput of cached queries to ${suppliers}, ${WIDTH} connections, against the gateway with one hop`,
      value: round(value),
      unit: '×',
      goal: '≥ 0.8',
      reached: value >= 0.8,
      detail: `${each(0)} a second, one hop ${each(1)}`,
    })
  }
  return figures
}

async function rate(url: string, token: string, body: string, duration: number): Promise<number> {
  const result = await autocannon({
    url,
    connections: WIDTH,
    duration,
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers of ${url} were not 2xx, ${result.errors} failed`)
  return result.requests.average
}
