import { setTimeout as sleep } from 'node:timers/promises'
import { startProduct } from '@partsbus/local-stack/running-product'
import { connectErp } from '../clients/erp.js'
import { startFakeSuppliers } from '../clients/fake-suppliers.js'
import { type Figure, median, percentile, round } from '../figures/measure.js'
import {
  closedLoop,
  gatewayUrls,
  NO_IMPORTS,
  openLoop,
  type Outcome,
  prepareTargets,
  TrafficClient,
  trafficSource,
} from './overload-traffic.js'
import { connectPartner, type Partner } from '../clients/partner.js'
import { processorTimes } from '../meters/processes.js'
import { scaled, toScale } from '../runs/scale.js'

/** Requests a second, and imports a second besides. */
const STEPS = [
  [50, 0.5],
  [100, 1],
  [150, 1.5],
  [200, 2],
  [300, 3],
] as const
const GOAL = 200
const P99_MS = 300
const STEP_MS = 30_000
const WARM_UP_MS = 15_000
const PAUSE_MS = 3_000
/** Imports that take longer after the end of a step are a backlog. */
const IMPORTS_WITHIN_MS = 5_000
const KINDS = ['products', 'stocks', 'search', 'status', 'read', 'import'] as const

interface Step {
  rate: number
  imports: number
  outcomes: Outcome[]
  /** ms from the end of the step to that of the last import; undefined when one failed or was refused */
  importsDone: number | undefined
  /** share of all cores that the product used */
  cores: number
}

/**
 * Mixed traffic on one replica of every service: requests and small imports at fixed rates, whether or not they are
 * answered in time. The highest rate at which 99 of 100 answers come within 300 ms, and none is an error.
 */
export async function benchMixed(root: string): Promise<Figure[]> {
  const scale = toScale(1)
  const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
  const suppliers = await startFakeSuppliers(1, 20)
  try {
    const erp = await connectErp(product)
    const partner = await connectPartner(product)
    const targets = await prepareTargets(product, erp, partner, suppliers.urls[0] ?? '')
    const next = { request: trafficSource(targets, NO_IMPORTS), upload: trafficSource(targets, ['import']) }
    const stepMs = scaled(STEP_MS, scale, 3_000)
    const warm = new TrafficClient(gatewayUrls(product))
    const warmMs = scaled(WARM_UP_MS, scale, 3_000)
    await Promise.all([closedLoop(warm, next.request, 16, warmMs), sendAtRate(warm, next.upload, 1, warmMs)])
    warm.close()
    const steps: Step[] = []
    for (const [rate, imports] of STEPS) {
      await sleep(PAUSE_MS)
      // connections of the step before may have been closed in the pause
      const client = new TrafficClient(gatewayUrls(product))
      const startedAt = performance.now()
      const before = sum(processorTimes(product))
      const [requests, uploads] = await Promise.all([
        sendAtRate(client, next.request, rate, stepMs),
        sendAtRate(client, next.upload, imports, stepMs),
      ])
      const cores = (sum(processorTimes(product)) - before) / (performance.now() - startedAt)
      const importsDone = await finishImports(partner, uploads)
      client.close()
      steps.push({ rate, imports, outcomes: [...requests, ...uploads], importsDone, cores })
      console.log(`  mixed, ${rate} a second: ${describe(steps.at(-1)!)}`)
    }
    partner.close()
    erp.close()
    return [highest(steps), ...steps.map(toFigure)]
  } finally {
    await suppliers.close()
    await product.stop()
  }
}

/** @returns outcomes whose time counts from when the request was due, also when this process was late */
async function sendAtRate(...load: Parameters<typeof openLoop>): Promise<Outcome[]> {
  return (await openLoop(...load)).map((outcome) => ({ ...outcome, ms: outcome.ms + outcome.lateMs }))
}

/** @returns how long the last import took from now, in ms; undefined when one failed or was refused */
async function finishImports(partner: Partner, uploads: Outcome[]): Promise<number | undefined> {
  const startedAt = performance.now()
  try {
    const accepted = uploads.filter(({ status }) => status === 200)
    for (const { body } of accepted) await partner.follow((JSON.parse(body) as { task_id: number }).task_id)
    return accepted.length === uploads.length ? performance.now() - startedAt : undefined
  } catch {
    return undefined
  }
}

const p99 = ({ outcomes }: Step): number =>
  percentile(
    outcomes.map(({ ms }) => ms),
    0.99,
  )

/** Answers other than 200 by their status; a reset connection has none. */
function countErrors({ outcomes }: Step): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { status } of outcomes.filter((one) => one.status !== 200)) {
    const name = status === 0 ? 'reset' : String(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

function isMet(step: Step): boolean {
  const isDone = step.importsDone !== undefined && step.importsDone <= IMPORTS_WITHIN_MS
  return p99(step) < P99_MS && countErrors(step).size === 0 && isDone
}

function highest(steps: Step[]): Figure {
  const firstMissed = steps.findIndex((step) => !isMet(step))
  const met = steps[(firstMissed === -1 ? steps.length : firstMissed) - 1]
  return {
    what: `mixed requests a second on one replica of every service with p99 < ${P99_MS} ms and no error`,
    value: met?.rate ?? 0,
    unit: 'a second',
    goal: `≥ ${GOAL}, with 2 imports a second`,
    reached: (met?.rate ?? 0) >= GOAL,
    detail: `and ${met?.imports ?? 0} imports a second; client, services, bus and database on the same cores`,
  }
}

function toFigure(step: Step): Figure {
  return {
    what: `p99 at ${step.rate} mixed requests and ${step.imports} imports a second`,
    value: round(p99(step), 0),
    unit: 'ms',
    goal: `< ${P99_MS}`,
    reached: isMet(step),
    detail: describe(step),
  }
}

function describe(step: Step): string {
  const times = KINDS.map((kind) => {
    const own = step.outcomes.filter((one) => one.kind === kind).map(({ ms }) => ms)
    return `${kind} p50 ${round(median(own), 0)}, p99 ${round(percentile(own, 0.99), 0)} ms (${own.length})`
  })
  const imports =
    step.importsDone === undefined ? 'an import failed or was refused' : `imports done after ${done(step.importsDone)}`
  const counts = [...countErrors(step)].map(([status, count]) => `${count} × ${status}`)
  const errors = counts.length === 0 ? 'no error' : `errors: ${counts.join(', ')}`
  return [...times, imports, errors, `${round(step.cores, 1)} cores used by the product`].join('; ')
}

const done = (ms: number): string => `${round(ms / 1_000, 1)} s`

const sum = (times: ReadonlyMap<string, number>): number => [...times.values()].reduce((total, one) => total + one, 0)
