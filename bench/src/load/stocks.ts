import { makeProducts, makeStocks } from '../clients/catalogue.js'
import type { Erp } from '../clients/erp.js'
import { type Figure, median, round, timedInFlight, toFigure } from '../figures/measure.js'
import type { Yardstick } from '../yardsticks/yardstick.js'

const FULL = { rounds: 7, batches: 8 }
const SIZE = 1_000

/** A repeated measurement in the same database needs products of its own. */
let firstUnused = 900_000

/** `stocks/batch-update` end to end against look-up and bulkWrite by hand: new supplies, and others written again. */
export async function benchStocks(erp: Erp, yardstick: Yardstick, { rounds, batches } = FULL): Promise<Figure[]> {
  const first: number[][] = []
  const again: number[][] = []
  for (let turn = 0; turn <= rounds; turn += 1) {
    const starts = Array.from({ length: batches }, (_, batch) => firstUnused + batch * SIZE)
    firstUnused += batches * SIZE
    for (const start of starts) {
      const body = JSON.stringify(makeProducts(start, SIZE, 0))
      await erp.post('/products/batch-upsert', body)
      await yardstick.upsertProducts(body)
    }
    for (const [version, pairs] of [first, again].entries()) {
      const bodies = starts.map((start) => JSON.stringify(makeStocks(start, SIZE, version)))
      const mine = await timedInFlight(bodies, 1, (body) => update(erp, body))
      const theirs = await timedInFlight(bodies, 1, (body) => yardstick.updateStocks(body))
      // the first round is a warm-up
      if (turn > 0) pairs.push([mine, theirs])
    }
  }
  return [
    figure('stocks/batch-update of 1,000, first, against look-up + bulkWrite by hand', first, batches),
    figure('stocks/batch-update of 1,000, again, against look-up + bulkWrite by hand', again, batches),
  ]
}

async function update(erp: Erp, body: string): Promise<void> {
  const answer = await erp.post('/stocks/batch-update', body)
  if (answer.status !== 200 || (JSON.parse(answer.body) as { updated: number }).updated !== SIZE)
    throw new Error(`batch-update answered ${answer.status}: ${answer.body.slice(0, 300)}`)
}

function figure(what: string, pairs: number[][], batches: number): Figure {
  const ratios = pairs.map(([mine = NaN, theirs = NaN]) => theirs / mine)
  const value = median(ratios)
  const each = (side: number): number => round(median(pairs.map((pair) => pair[side] ?? NaN)) / batches, 1)
  return toFigure({
    what,
    value,
    unit: '× the speed by hand',
    detail: `${each(0)} ms a batch, by hand ${each(1)} ms; ratios ${ratios.map((one) => round(one)).join(', ')}`,
    least: 0.9,
  })
}
