import type { Figure } from '../figures/measure.js'

/** A recorded ratio that may fall by this share before it counts as slower. */
export const TOLERANCE = 0.15

export interface Comparison {
  what: string
  recorded: number
  measured: number
  /** whether it fell by more than the tolerance */
  isSlower: boolean
}

/**
 * The ratios among figures, by name: those with a unit of `×` that should be high. Times, sizes and ratios that should
 * be low are left out.
 */
export const selectRatios = (figures: readonly Figure[]): Map<string, number> =>
  new Map(
    figures
      .filter(({ unit, goal }) => unit.startsWith('×') && goal.startsWith('≥'))
      .map(({ what, value }) => [what, value]),
  )

/** Figures that have no recorded ratio are left out. */
export function compareRatios(recorded: ReadonlyMap<string, number>, figures: readonly Figure[]): Comparison[] {
  return figures.flatMap(({ what, value }) => {
    const before = recorded.get(what)
    if (before === undefined) return []
    return [{ what, recorded: before, measured: value, isSlower: value < before * (1 - TOLERANCE) }]
  })
}

/** The better of two measurements of each ratio: what disturbs a run makes it slower. */
export function keepBetter(first: readonly Comparison[], second: readonly Comparison[]): Comparison[] {
  return first.map((one) => {
    const other = second.find(({ what }) => what === one.what)
    return other && other.measured > one.measured ? other : one
  })
}
