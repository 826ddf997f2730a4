import { PriceFileError, ReaderUnavailable } from '../price-file-error.js'
import type { FailedResponse } from './reader-process.js'

/** The child's side of a `ReaderProcess`: answers requests one after another until the parent disconnects. */
export function serveParent<Request>(answer: (request: Request) => Promise<object>): void {
  let last: Promise<unknown> = Promise.resolve()
  process.on('message', (request: Request) => {
    // one at a time, because the next request may overwrite the file of a response
    last = last
      .then(() => answer(request))
      .then(
        (response) => process.send?.(response),
        (error: unknown) => process.send?.(failure(error)),
      )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ answer: 'started' })
}

function failure(error: unknown): FailedResponse {
  if (error instanceof PriceFileError) {
    const { problem, message, row } = error
    return { answer: 'failed', problem, message, ...(row !== undefined && { row }) }
  }
  if (error instanceof ReaderUnavailable) return { answer: 'failed', problem: 'UNAVAILABLE', message: error.message }
  // the disk is full, a descriptor is missing …
  if (error instanceof Error && 'syscall' in error)
    return { answer: 'failed', problem: 'UNAVAILABLE', message: `The file cannot be read now: ${error.message}` }
  return { answer: 'failed', problem: 'DAMAGED', message: 'The file cannot be read.' }
}
