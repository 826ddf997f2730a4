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
 * The ratios in the tables of docs/benchmarks.md, by name: figures with a unit of `×` that should be high. Times, sizes
 * and ratios that should be low are left out.
 */
export function readRatios(text: string): Map<string, number> {
  const ratios = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, what, measured, goal] = line.split('|').map((cell) => cell.trim())
    const value = /^([\d.]+) ×/.exec(measured ?? '')?.[1]
    if (what && value && goal?.startsWith('≥')) ratios.set(what, Number(value))
  }
  return ratios
}

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
