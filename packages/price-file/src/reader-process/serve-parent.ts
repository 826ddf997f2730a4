import { PriceFileError } from '../price-file-error.js'
import type { FailedAnswer } from './reader-process.js'

/** The child's side of a `ReaderProcess`: answers each order, one after another, until the parent goes away. */
export function serveParent<Order>(answer: (order: Order) => Promise<object>): void {
  let last: Promise<unknown> = Promise.resolve()
  process.on('message', (order: Order) => {
    // one after another: what was answered may be overwritten once the next is worked on
    last = last
      .then(() => answer(order))
      .then(
        (result) => process.send?.(result),
        (error: unknown) => process.send?.(failure(error)),
      )
  })
  process.on('disconnect', () => process.exit(0))
}

function failure(error: unknown): FailedAnswer {
  if (error instanceof PriceFileError) {
    return {
      answer: 'failed',
      problem: error.problem,
      message: error.message,
      ...(error.row !== undefined && { row: error.row }),
    }
  }
  return { answer: 'failed', problem: 'DAMAGED', message: 'The file cannot be read.' }
}
