import { type BenchProduct, makeProducts } from '../clients/catalogue.js'
import type { Erp } from '../clients/erp.js'
import { type Figure, median, round, timedInFlight, toFigure } from '../figures/measure.js'
import type { Yardstick } from '../yardsticks/yardstick.js'

const FULL = { rounds: 5, batches: 8 }
const SIZE = 1_000

/** Milliseconds of ours and of the work by hand. */
type Pair = readonly [mine: number, byHand: number]

/** A repeated measurement in the same database needs products of its own. */
let firstUnused = 0

/**
 * `products/batch-upsert` end to end against the same work by hand, interleaved: new, changed and equal items, and new
 * ones whose names and articles are all stored already.
 */
export async function benchProducts(erp: Erp, yardstick: Yardstick, { rounds, batches } = FULL): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const width of [1, 4]) {
    const times = { created: [] as Pair[], changed: [] as Pair[], unchanged: [] as Pair[], colliding: [] as Pair[] }
    const ours = (bodies: string[], counted: 'created' | 'updated') => upsert(bodies, width, erp, counted)
    const byHand = (bodies: string[]) => timedInFlight(bodies, width, (body) => yardstick.upsertProducts(body))
    for (let turn = 0; turn <= rounds; turn += 1) {
      const first = firstUnused
      firstUnused += batches * SIZE
      const bodies = (version: number, change = (one: BenchProduct) => one): string[] =>
        Array.from({ length: batches }, (_, batch) =>
          JSON.stringify(makeProducts(first + batch * SIZE, SIZE, version).map(change)),
        )
      const created: Pair = [await ours(bodies(0), 'created'), await byHand(bodies(0))]
      const changedByHand = await byHand(bodies(1))
      const changed: Pair = [await ours(bodies(1), 'updated'), changedByHand]
      const unchanged: Pair = [
        await ours(bodies(1), 'updated'),
        await timedInFlight(bodies(1), width, (body) => yardstick.readProducts(body)),
      ]
      const others = bodies(1, (one) => ({ ...one, id_erp: `other-${one.id_erp}` }))
      const colliding: Pair = [await ours(others, 'created'), created[1]]
      // the first round is a warm-up
      if (turn === 0) continue
      times.created.push(created)
      times.changed.push(changed)
      times.unchanged.push(unchanged)
      times.colliding.push(colliding)
    }
    const figure = (what: string, pairs: Pair[], goal: number, yard = 'the driver by hand') =>
      ratio(`products/batch-upsert, ${what}, ${width} in flight, against ${yard}`, pairs, goal, batches)
    figures.push(
      figure('created', times.created, width === 1 ? 0.8 : 0.9),
      figure('changed', times.changed, width === 1 ? 0.8 : 0.9),
      figure('unchanged', times.unchanged, 0.85, 'reading them by hand'),
      figure('every slug taken', times.colliding, 0.5, 'creating them by hand'),
    )
  }
  return figures
}

async function upsert(bodies: string[], width: number, erp: Erp, counted: 'created' | 'updated'): Promise<number> {
  return timedInFlight(bodies, width, async (body) => {
    const answer = await erp.post('/products/batch-upsert', body)
    const result = answer.status === 200 ? (JSON.parse(answer.body) as Record<string, unknown>) : {}
    if (result[counted] !== SIZE)
      throw new Error(`batch-upsert answered ${answer.status}: ${answer.body.slice(0, 300)}`)
  })
}

function ratio(what: string, pairs: readonly Pair[], goal: number, batches: number): Figure {
  const ratios = pairs.map(([mine, theirs]) => theirs / mine)
  const value = median(ratios)
  const each = (side: 0 | 1): number => round(median(pairs.map((pair) => pair[side])) / batches, 1)
  return toFigure({
    what,
    value,
    unit: '× the speed by hand',
    detail: `${each(0)} ms a batch, by hand ${each(1)} ms; ratios ${ratios.map((one) => round(one)).join(', ')}`,
    least: goal,
  })
}
