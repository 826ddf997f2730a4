import { makeProducts, makeStocks } from './catalogue.js'
import type { Erp } from './erp.js'
import { type Figure, median, round, timedInFlight } from './measure.js'
import type { Yardstick } from './yardstick.js'

const ROUNDS = 7
const BATCHES = 8
const SIZE = 1_000
const FIRST = 900_000

/** `stocks/batch-update` end to end against look-up and bulkWrite by hand. */
export async function benchStocks(erp: Erp, yardstick: Yardstick): Promise<Figure[]> {
  const firsts = Array.from({ length: BATCHES }, (_, batch) => FIRST + batch * SIZE)
  for (const first of firsts) {
    const body = JSON.stringify(makeProducts(first, SIZE, 0))
    await erp.post('/products/batch-upsert', body)
    await yardstick.upsertProducts(body)
  }
  const pairs: number[][] = []
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    const bodies = firsts.map((first) => JSON.stringify(makeStocks(first, SIZE, turn)))
    const mine = await timedInFlight(bodies, 1, async (body) => {
      const answer = await erp.post('/stocks/batch-update', body)
      if (answer.status !== 200 || (JSON.parse(answer.body) as { updated: number }).updated !== SIZE) {
        throw new Error(`batch-update answered ${answer.status}: ${answer.body.slice(0, 300)}`)
      }
    })
    const theirs = await timedInFlight(bodies, 1, (body) => yardstick.updateStocks(body))
    // the first round creates the records on both sides and is a warm-up
    if (turn > 0) pairs.push([mine, theirs])
  }
  const ratios = pairs.map(([mine = NaN, theirs = NaN]) => theirs / mine)
  const value = median(ratios)
  const each = (side: number): number => round(median(pairs.map((pair) => pair[side] ?? NaN)) / BATCHES, 1)
  return [
    {
      what: 'stocks/batch-update of 1,000, against look-up + bulkWrite by hand',
      value: round(value),
      unit: '× the speed by hand',
      goal: '≥ 0.75',
      reached: value >= 0.75,
      detail: `${each(0)} ms a batch, by hand ${each(1)} ms; ratios ${ratios.map((one) => round(one)).join(', ')}`,
    },
  ]
}
