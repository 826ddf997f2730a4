/**
 * Upper bounds of the classes in milliseconds; one more class is above the last. Their numbers are stored, so that a
 * bound may be appended but never inserted.
 */
const BOUNDS_MS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000,
  20_000, 60_000,
] as const

/** How many durations there were in each class, by its number. */
export type Histogram = Readonly<Record<string, number>>

/** The class of a duration. */
export function durationClass(ms: number): number {
  let low = 0
  let high: number = BOUNDS_MS.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((BOUNDS_MS[middle] as number) < ms) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The duration that this share of all is not longer than, in whole milliseconds: interpolated within its class, so that
 * it is at most half of it off.
 * @returns null for an empty histogram
 */
export function quantile(histogram: Histogram, share: number): number | null {
  const counts = Array.from({ length: BOUNDS_MS.length + 1 }, (_, at) => histogram[at] ?? 0)
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let wanted = share * total
  for (const [at, count] of counts.entries()) {
    if (count > 0 && wanted <= count) {
      const from = at === 0 ? 0 : (BOUNDS_MS[at - 1] as number)
      const to = BOUNDS_MS[at] ?? from
      return Math.round(from + (to - from) * (wanted / count))
    }
    wanted -= count
  }
  return BOUNDS_MS.at(-1) ?? null
}

export function addHistogram(into: Record<string, number>, histogram: Histogram): void {
  for (const [at, count] of Object.entries(histogram)) into[at] = (into[at] ?? 0) + count
}
