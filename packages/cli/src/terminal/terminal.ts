import type { Writable } from 'node:stream'
import { drawProgress } from './draw-progress.js'

/** Where a command writes: results to the standard output, everything else to the standard error. */
export interface Terminal {
  /** a line of the result */
  print(line: string): void
  /** a line that is not part of the result */
  note(line: string): void
  /** Shows how far long work is; does nothing where nobody watches. */
  progress(done: number, total: number, unit: string): void
  /** Removes the progress bar. */
  endProgress(): void
}

type Stream = Pick<Writable, 'write'> & { isTTY?: boolean; columns?: number }

/** A bar is drawn at most this often, in ms. */
const REDRAW_MS = 100
const CLEAR_LINE = '\r\u001B[K'

export function openTerminal(output: Stream, errors: Stream, now: () => number = Date.now): Terminal {
  let isDrawn = false
  let drawnAt = -Infinity
  const endProgress = (): void => {
    if (isDrawn) errors.write(CLEAR_LINE)
    isDrawn = false
    drawnAt = -Infinity
  }
  return {
    print: (line) => {
      endProgress()
      output.write(`${line}\n`)
    },
    note: (line) => {
      endProgress()
      errors.write(`${line}\n`)
    },
    progress: (done, total, unit) => {
      if (errors.isTTY !== true || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      isDrawn = true
      errors.write(`${CLEAR_LINE}${drawProgress({ done, total, unit }, errors.columns ?? 80)}`)
    },
    endProgress,
  }
}
