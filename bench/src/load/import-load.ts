import { join } from 'node:path'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import type { Erp } from '../clients/erp.js'
import { fileToSend, importWhole } from './import-speed.js'
import { type Figure, median, percentile, round, timed, toFigure } from '../figures/measure.js'
import type { Partner } from '../clients/partner.js'
import { writeCsv } from '../clients/price-rows.js'
import { watchMemory } from '../meters/processes.js'
import { ofFull, scaled } from '../runs/scale.js'

/** Rows of a file, its header included: a file may have no more. */
const LARGE = 5_000_000
const SMALL = 50_000
const PING_EVERY_MS = 10
/** Enough pings for a p99, at any scale. */
const IDLE_MS = 8_000
const SMALL_ROUNDS = 3
const STALL_MS = 50
/** Of the timer that measures the event loop, which every value of the metric contains. */
const STALL_TIMER_MS = 10
const PING_RATIO = 1.5

/** The load of an import: memory of the service and its child, and response times of the gateway during the import. */
export async function benchImportLoad(
  product: RunningProduct,
  partner: Partner,
  erp: Erp,
  storageId: number,
  folder: string,
  scale: number,
): Promise<Figure[]> {
  const large = scaled(LARGE, scale, 2_000)
  const small = Math.min(SMALL, Math.round(large / 10))
  await writeCsv(join(folder, 'large.csv'), large - 1)
  await writeCsv(join(folder, 'small.csv'), small)
  const files = {
    small: await fileToSend(join(folder, 'small.csv')),
    large: await fileToSend(join(folder, 'large.csv')),
  }
  const pid = product.processes('pricing-import')[0]?.pid ?? 0
  const peakOf = async (work: () => Promise<unknown>): Promise<number> => {
    const watch = watchMemory(pid)
    await work()
    return watch.stop().together
  }
  const smallPeaks: number[] = []
  for (let turn = 0; turn <= SMALL_ROUNDS; turn += 1) {
    const peak = await peakOf(() => importWhole(partner, storageId, files.small, small))
    // warm-up
    if (turn > 0) smallPeaks.push(peak)
  }
  const idle = await pingUntil(
    erp,
    new Promise((done) => {
      setTimeout(done, IDLE_MS)
    }),
  )
  let busy: number[] = []
  // reading the metric resets it
  await longestStall(product)
  const largePeak = await peakOf(async () => {
    busy = await pingUntil(erp, importWhole(partner, storageId, files.large, large - 1))
  })
  const stall = await longestStall(product)
  const memory = largePeak / median(smallPeaks)
  const slower = percentile(busy, 0.99) / percentile(idle, 0.99)
  return [
    toFigure({
      what: 'peak RSS of pricing-import and its child, 5,000,000 rows against 50,000',
      value: memory,
      unit: '×',
      detail:
        `${Math.round(largePeak)} MB, against ${Math.round(median(smallPeaks))} MB` +
        `${ofFull(large, LARGE)}${ofFull(small, SMALL)}`,
      most: 1.2,
    }),
    toFigure({
      what: 'longest event-loop stall of pricing-import during an import',
      value: stall,
      digits: 0,
      unit: 'ms',
      detail: `from its metrics, without the ${STALL_TIMER_MS} ms of their timer${ofFull(large, LARGE, 'rows')}`,
      most: STALL_MS,
    }),
    toFigure({
      what: 'ping p99 during an import, against idle',
      value: slower,
      unit: '×',
      detail: [
        `p99 ${round(percentile(busy, 0.99))} ms during an import, ${round(percentile(idle, 0.99))} ms idle`,
        `p50 ${round(median(busy))} and ${round(median(idle))} ms`,
        `${busy.length} and ${idle.length} pings`,
      ].join('; '),
      most: PING_RATIO,
    }),
  ]
}

async function pingUntil(erp: Erp, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let ended = false
  const over = end.finally(() => {
    ended = true
  })
  while (!ended) {
    times.push(await timed(() => erp.ping()))
    await new Promise((next) => {
      setTimeout(next, PING_EVERY_MS)
    })
  }
  await over
  return times
}

/** @returns milliseconds since the previous call */
async function longestStall(product: RunningProduct): Promise<number> {
  const port = product.processes('pricing-import')[0]?.management_port
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  const seconds = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m.exec(await answer.text())?.[1]
  if (seconds === undefined) throw new Error('pricing-import has no metric of its event-loop lag')
  return Math.max(0, Number(seconds) * 1_000 - STALL_TIMER_MS)
}
