import { join } from 'node:path'
import { startProduct, type RunningProduct } from '@partsbus/local-stack/running-product'
import { connectErp } from '../clients/erp.js'
import { startFakeSuppliers } from '../clients/fake-suppliers.js'
import { type Figure, median, percentile, round, toFigure } from '../figures/measure.js'
import { benchFloods } from './overload-floods.js'
import {
  closedLoop,
  DEADLINE_MS,
  gatewayUrls,
  openLoop,
  type Outcome,
  prepareTargets,
  TrafficClient,
  trafficSource,
} from './overload-traffic.js'
import { connectPartner } from '../clients/partner.js'
import { peakMemory } from '../meters/processes.js'
import { scaled, toScale } from '../runs/scale.js'
import { benchSmallImports } from './small-imports.js'

const REPLICAS = 'gateway=2,catalog=2,stock=2,supplier-search=2,pricing-import=2'
const WIDTHS = [16, 32, 64]
const FACTORS = [1, 2, 3]
const PHASE_MS = 15_000
const FLOOD_MS = 8_000
const PAUSE_MS = 3_000
const GOODPUT_RATIO = 0.8
const REFUSAL_MS = 50
const MAX_MB = 256
/** Kinds that are batches of the ERP. */
const BATCHES: ReadonlyArray<Outcome['kind']> = ['products', 'stocks']

/** The outcomes of the requests of one load. */
interface Load {
  name: string
  outcomes: Outcome[]
  good: Outcome[]
  refused: Outcome[]
  seconds: number
}

/**
 * Two replicas of every service under mixed traffic: the capacity in a closed loop, then once, twice and three times as
 * many requests a second in an open loop; floods of each API; small imports.
 */
export async function benchOverload(root: string): Promise<Figure[]> {
  const scale = toScale(1)
  const product = await startProduct({ root: join(root), replicas: REPLICAS, env: { LOG_LEVEL: 'warn' } })
  try {
    return await measure(product, scale)
  } finally {
    await product.stop()
  }
}

async function measure(product: RunningProduct, scale: number): Promise<Figure[]> {
  const erp = await connectErp(product)
  const partner = await connectPartner(product)
  const suppliers = await startFakeSuppliers(1, 20)
  const client = new TrafficClient(gatewayUrls(product))
  try {
    const targets = await prepareTargets(product, erp, partner, suppliers.urls[0] ?? '')
    const next = trafficSource(targets)
    const phaseMs = scaled(PHASE_MS, scale, 3_000)
    await closedLoop(client, next, 16, phaseMs)
    const small = await benchSmallImports(product, client, targets)
    const floods = await benchFloods(client, targets, scaled(FLOOD_MS, scale, 2_000))
    const closed: Load[] = []
    for (const width of WIDTHS)
      closed.push(await load(`${width} in flight`, () => closedLoop(client, next, width, phaseMs)))
    const capacity = closed.reduce((one, other) => (rate(other.good, other) > rate(one.good, one) ? other : one))
    const open: Load[] = []
    for (const factor of FACTORS) {
      const perSecond = factor * rate(capacity.good, capacity)
      open.push(await load(`${factor} ×`, () => openLoop(client, next, perSecond, phaseMs), phaseMs / 1_000))
      await new Promise((done) => {
        setTimeout(done, PAUSE_MS)
      })
    }
    return [...throughput(capacity, open), ...answers([...closed, ...open]), memory(product), ...floods, ...small]
  } finally {
    client.close()
    partner.close()
    erp.close()
    await suppliers.close()
  }
}

/** @param seconds during which requests were sent; default: until the last answer */
async function load(name: string, run: () => Promise<Outcome[]>, seconds?: number): Promise<Load> {
  const startedAt = performance.now()
  const outcomes = await run()
  const all = (performance.now() - startedAt) / 1_000
  return {
    name,
    outcomes,
    good: outcomes.filter(({ kind, status, ms }) => status === 200 && ms <= DEADLINE_MS[kind]),
    refused: outcomes.filter(({ status, retryAfter }) => status === 503 && retryAfter),
    // the answers that came after the last request was sent belong to the load, and so does their time
    seconds: seconds === undefined ? all : Math.max(seconds, all),
  }
}

function rate(outcomes: Outcome[], { seconds }: Load): number {
  return outcomes.length / seconds
}

function throughput(capacity: Load, open: Load[]): Figure[] {
  const ratios = (select: (outcomes: Outcome[]) => Outcome[]): number[] =>
    open.map((one) => rate(select(one.good), one) / rate(select(capacity.good), capacity))
  const batches = (outcomes: Outcome[]): Outcome[] => outcomes.filter(({ kind }) => BATCHES.includes(kind))
  const all = ratios((outcomes) => outcomes)
  const ofErp = ratios(batches)
  const detail = (values: number[], select: (outcomes: Outcome[]) => Outcome[]): string => {
    const most = round(rate(select(capacity.good), capacity), 0)
    const shares = open.map(({ name }, at) => `${name} ${round(values[at] ?? NaN)}`)
    return `capacity ${most} a second with ${capacity.name}; ${shares.join(', ')}`
  }
  return [
    goodput(
      'goodput at three times the capacity, against the capacity',
      all,
      detail(all, (outcomes) => outcomes),
    ),
    goodput('the same, batches of 20 of the ERP alone', ofErp, detail(ofErp, batches)),
  ]
}

function goodput(what: string, ratios: number[], detail: string): Figure {
  const value = ratios.at(-1) ?? NaN
  return { what, value: round(value), unit: '×', goal: `≥ ${GOODPUT_RATIO}`, reached: value >= GOODPUT_RATIO, detail }
}

function answers(loads: Load[]): Figure[] {
  const failed = loads.flatMap(({ outcomes, good, refused }) => {
    const fine = new Set([...good, ...refused])
    return outcomes.filter((one) => !fine.has(one))
  })
  const last = loads.at(-1)
  const refusals = last?.refused.map(({ ms }) => ms) ?? []
  const accepted = last?.good ?? []
  const times = (kinds: ReadonlyArray<Outcome['kind']>): string => {
    const own = accepted.filter(({ kind }) => kinds.includes(kind)).map(({ ms }) => ms)
    return own.length === 0 ? 'none' : `p50 ${round(median(own), 0)} ms, p99 ${round(percentile(own, 0.99), 0)} ms`
  }
  return [
    {
      what: 'answers other than 200 in time and 503 with Retry-After, resets included',
      value: failed.length,
      unit: '',
      goal: '0',
      reached: failed.length === 0,
      detail: `of ${loads.reduce((sum, { outcomes }) => sum + outcomes.length, 0)} requests; ${summary(failed)}`,
    },
    toFigure({
      what: 'a refusal at three times the capacity, p50',
      value: median(refusals),
      digits: 0,
      unit: 'ms',
      detail: [
        `p99 ${round(percentile(refusals, 0.99), 0)} ms`,
        `${refusals.length} refusals, from the first byte sent to the last received`,
        `accepted batches ${times(BATCHES)}`,
        `searches ${times(['search'])}`,
        `reads ${times(['read'])}`,
        `statuses ${times(['status'])}`,
      ].join('; '),
      most: REFUSAL_MS,
    }),
  ]
}

function summary(outcomes: Outcome[]): string {
  const counts = new Map<string, number>()
  for (const { kind, status } of outcomes) {
    const name = `${status === 0 ? 'reset' : status} ${kind}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts.size === 0 ? 'none' : [...counts].map(([name, count]) => `${count} × ${name}`).join(', ')
}

function memory(product: RunningProduct): Figure {
  const all = peakMemory(product)
  const services = new Set(product.processes().flatMap((one) => (one.management_port === undefined ? [] : [one.name])))
  const highest = Math.max(...all.flatMap(({ name, mb }) => (services.has(name.split(' ')[0] ?? '') ? [mb] : [])))
  return toFigure({
    what: 'peak RSS of a process of the services, under all these loads',
    value: highest,
    digits: 0,
    unit: 'MB',
    detail: all.map(({ name, mb }) => `${name} ${round(mb, 0)}`).join(', '),
    most: MAX_MB,
  })
}
