import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { type Figure, round, toFigure } from '../figures/measure.js'
import { makeRequest, type Outcome, type TrafficClient, type TrafficTargets } from './overload-traffic.js'
import { processorMs } from '../meters/processes.js'

const COUNTED = 60
const TOGETHER = 200
const IDLE_MS = 5_000
const MAX_PROCESSOR_MS = 60
const MAX_SECONDS = 20

/** Imports of 10 rows: their processor time over all processes, database included, and 200 uploaded at once. */
export async function benchSmallImports(
  product: RunningProduct,
  client: TrafficClient,
  targets: TrafficTargets,
): Promise<Figure[]> {
  const upload = (turn: number): Promise<Outcome> => client.send(makeRequest('import', turn, targets))
  // the code is compiled, and the work of earlier benchmarks has ended
  await importAll(targets, await uploadAll(20, 4, upload))
  await sleep(IDLE_MS)
  const idle = await processorTime(product, () => sleep(IDLE_MS))
  const counted = await processorTime(product, async () => {
    await importAll(targets, await uploadAll(COUNTED, 2, upload))
  })
  const each = (counted.processorMs - (idle.processorMs * counted.ms) / idle.ms) / COUNTED
  const startedAt = performance.now()
  const outcomes = await uploadAll(TOGETHER, TOGETHER, upload)
  const accepted = performance.now() - startedAt
  await importAll(targets, outcomes)
  const seconds = (performance.now() - startedAt) / 1_000
  return [
    toFigure({
      what: 'processor time of an import of 10 rows, from upload to completed, over all processes',
      value: each,
      digits: 0,
      unit: 'ms',
      detail: [
        `${COUNTED} imports in ${round(counted.ms / 1_000, 1)} s, two uploads at a time`,
        `without the ${round((idle.processorMs / idle.ms) * 100, 0)} % of a core that the idle product uses`,
      ].join('; '),
      most: MAX_PROCESSOR_MS,
    }),
    toFigure({
      what: '200 imports of 10 rows that are uploaded at once',
      value: seconds,
      digits: 1,
      unit: 's',
      detail: `all were accepted after ${round(accepted / 1_000, 1)} s; 20 price lists`,
      most: MAX_SECONDS,
    }),
  ]
}

async function processorTime(
  product: RunningProduct,
  work: () => Promise<void>,
): Promise<{ processorMs: number; ms: number }> {
  const [before, startedAt] = [processorMs(product), performance.now()]
  await work()
  return { processorMs: processorMs(product) - before, ms: performance.now() - startedAt }
}

async function uploadAll(count: number, width: number, upload: (turn: number) => Promise<Outcome>): Promise<number[]> {
  const ids: number[] = []
  let turn = 0
  const worker = async (): Promise<void> => {
    while (turn < count) {
      const { status, body } = await upload((turn += 1))
      if (status !== 200) throw new Error(`an upload was answered ${status}: ${body.slice(0, 300)}`)
      ids.push((JSON.parse(body) as { task_id: number }).task_id)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return ids
}

/** Waits for tasks in turn; a request for each finished one costs less than polling them all. */
async function importAll({ partner }: TrafficTargets, taskIds: number[]): Promise<void> {
  for (const id of taskIds) await partner.follow(id)
}
