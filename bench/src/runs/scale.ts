/**
 * The share of its full size that a benchmark runs with: `BENCH_SCALE`, else its default. Figures of a smaller run say
 * so.
 * @param own the default, which limits the time of an ordinary run
 */
export function toScale(own: number): number {
  const given = process.env.BENCH_SCALE
  if (given === undefined || given === '') return own
  const scale = Number(given)
  if (!(scale > 0 && scale <= 1)) throw new Error(`BENCH_SCALE must be above 0 and at most 1, not ${given}`)
  return scale
}

/** @returns a whole number of at least `least` */
export const scaled = (full: number, scale: number, least = 1): number => Math.max(least, Math.round(full * scale))

/** A text for a figure: the share of the full size that was run. */
export const ofFull = (count: number, full: number, unit = ''): string =>
  count === full ? '' : `; ${count.toLocaleString('en')} instead of ${full.toLocaleString('en')} ${unit}`.trimEnd()
