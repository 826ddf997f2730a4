import { percentile, round, timed } from '../figures/measure.js'

/** Times of one kind of request in ms, as a row of the table has them. */
export interface Times {
  p50: number
  high: number
  count: number
  /** answers other than 200, for example of searches that took too long */
  refused: number
}

export interface SampleOptions {
  /** Requests that are sent in any case, and at most. */
  least: number
  most: number
  /** No more are sent after this time, in ms. */
  withinMs: number
  /** the share of `high`, like 0.95 */
  share: number
}

/** Sends one request after another. `read` returns a status. */
export async function sampleTimes(
  read: (turn: number) => Promise<number>,
  { least, most, withinMs, share }: SampleOptions,
): Promise<Times> {
  const times: number[] = []
  let refused = 0
  const end = performance.now() + withinMs
  for (let turn = 0; turn < most && (turn < least || performance.now() < end); turn += 1) {
    let status = 0
    times.push(await timed(async () => (status = await read(turn))))
    if (status !== 200) refused += 1
  }
  return {
    p50: round(percentile(times, 0.5), 1),
    high: round(percentile(times, share), 1),
    count: times.length,
    refused,
  }
}

/** Totals from `first` to `last`, each twice the one before it but for the last. */
export function doublings(first: number, last: number): number[] {
  const totals: number[] = []
  for (let total = first; total < last; total *= 2) totals.push(total)
  return [...totals, last]
}

/** A number below `count` that differs from turn to turn and is spread over all of them. */
export const spread = (turn: number, count: number): number =>
  Math.floor(((turn + 1) * 0.618_033_988_75 * count) % count)
