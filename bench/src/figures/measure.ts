/** One line of the table in docs/measurements/benchmarks.md. */
export interface Figure {
  what: string
  /** the figure as a reader should quote it, a ratio or a difference */
  value: number
  unit: string
  goal: string
  reached: boolean
  /** the medians of both sides */
  detail: string
}

type Goal = { least: number; most?: never } | { most: number; least?: never }
type Measurement = Goal &
  Pick<Figure, 'what' | 'value' | 'unit' | 'detail'> & {
    /** of the value that is shown; 2 by default */
    digits?: number
  }

/** A figure that should be at least or at most so much. */
export function toFigure({ what, value, digits = 2, unit, least, most, detail }: Measurement): Figure {
  const [goal, reached] = least === undefined ? [`≤ ${most}`, value <= (most ?? NaN)] : [`≥ ${least}`, value >= least]
  return { what, value: round(value, digits), unit, goal, reached, detail }
}

/** Figures, and what they were measured with, like `database: ferretdb`. */
export interface Measured {
  figures: Figure[]
  how: string
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Runs the jobs with a concurrency of `width`. @returns milliseconds for all of them */
export function timedInFlight<Job>(jobs: Job[], width: number, run: (job: Job) => Promise<unknown>): Promise<number> {
  const queue = [...jobs]
  const worker = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await run(job)
  }
  return timed(() => Promise.all(Array.from({ length: width }, worker)))
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits))
