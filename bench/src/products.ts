import { makeProducts } from './catalogue.js'
import type { Erp } from './erp.js'
import { type Figure, median, round, timedInFlight } from './measure.js'
import type { Yardstick } from './yardstick.js'

const ROUNDS = 5
const BATCHES = 8
const SIZE = 1_000

/** `products/batch-upsert` end to end against the same work by hand, interleaved, with new, changed and equal items. */
export async function benchProducts(erp: Erp, yardstick: Yardstick): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const width of [1, 4]) {
    const times = { created: [] as number[][], changed: [] as number[][], unchanged: [] as number[] }
    for (let round = 0; round <= ROUNDS; round += 1) {
      const first = (width * 100 + round) * BATCHES * SIZE
      const bodies = (version: number): string[] =>
        Array.from({ length: BATCHES }, (_, batch) => JSON.stringify(makeProducts(first + batch * SIZE, SIZE, version)))
      const created = await pair(bodies(0), width, erp, yardstick, 'created')
      const changed = await pair(bodies(1), width, erp, yardstick, 'updated')
      const unchanged = await ours(bodies(1), width, erp, 'updated')
      // the first round is a warm-up
      if (round === 0) continue
      times.created.push(created)
      times.changed.push(changed)
      times.unchanged.push(unchanged)
    }
    const goal = width === 1 ? 0.8 : 0.9
    figures.push(
      ratio(`products/batch-upsert, created, ${width} in flight, against the driver by hand`, times.created, goal),
    )
    figures.push(
      ratio(`products/batch-upsert, changed, ${width} in flight, against the driver by hand`, times.changed, goal),
    )
    const faster = median(times.changed.map(([mine = NaN], index) => mine / (times.unchanged[index] ?? NaN)))
    figures.push({
      what: `the same items again, unchanged, ${width} in flight, against the changed pass`,
      value: round(faster),
      unit: '×',
      goal: '≥ 3',
      reached: faster >= 3,
      detail:
        `${perBatch(times.unchanged)} ms a batch unchanged, ` +
        `${perBatch(times.changed.map(([mine = NaN]) => mine))} ms changed`,
    })
  }
  return figures
}

async function ours(bodies: string[], width: number, erp: Erp, counted: 'created' | 'updated'): Promise<number> {
  return timedInFlight(bodies, width, async (body) => {
    const answer = await erp.post('/products/batch-upsert', body)
    const result = answer.status === 200 ? (JSON.parse(answer.body) as Record<string, unknown>) : {}
    if (result[counted] !== SIZE)
      throw new Error(`batch-upsert answered ${answer.status}: ${answer.body.slice(0, 300)}`)
  })
}

/** Runs both sides in alternating order. @returns [ours, by hand] in milliseconds */
async function pair(
  bodies: string[],
  width: number,
  erp: Erp,
  yardstick: Yardstick,
  counted: 'created' | 'updated',
): Promise<number[]> {
  const byHand = (): Promise<number> => timedInFlight(bodies, width, (body) => yardstick.upsertProducts(body))
  if (counted === 'created') {
    const mine = await ours(bodies, width, erp, counted)
    return [mine, await byHand()]
  }
  const theirs = await byHand()
  return [await ours(bodies, width, erp, counted), theirs]
}

function perBatch(times: number[]): number {
  return round(median(times) / BATCHES, 1)
}

function ratio(what: string, pairs: number[][], goal: number): Figure {
  const ratios = pairs.map(([mine = NaN, theirs = NaN]) => theirs / mine)
  const value = median(ratios)
  const each = (side: number): number => perBatch(pairs.map((pair) => pair[side] ?? NaN))
  return {
    what,
    value: round(value),
    unit: '× the speed by hand',
    goal: `≥ ${goal}`,
    reached: value >= goal,
    detail: `${each(0)} ms a batch, by hand ${each(1)} ms; ratios ${ratios.map((one) => round(one)).join(', ')}`,
  }
}
