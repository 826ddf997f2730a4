import { PriceFileError, ReaderUnavailable } from '../price-file-error.js'
import type { FailedResponse, ResetRequest } from './child-protocol.js'

/**
 * The child's side of a `ReaderProcess`: answers requests one after another until the parent disconnects.
 * @param answer receives the folder in which the child may write
 * @param reset forgets what was read
 */
export function serveParent<Request extends { request: string }>(
  answer: (request: Request, folder: string) => Promise<object>,
  reset: () => void = () => undefined,
): void {
  const folder = process.argv[2]
  if (folder === undefined) throw new Error('the child was started without a folder')
  const respond = async (request: Request | ResetRequest): Promise<object> => {
    if (!isReset(request)) return answer(request, folder)
    reset()
    return { answer: 'reset' }
  }
  let last: Promise<unknown> = Promise.resolve()
  process.on('message', (request: Request | ResetRequest) => {
    // one at a time, because the next request may overwrite the file of a response
    last = last
      .then(() => respond(request))
      .then(
        (response) => process.send?.(response),
        (error: unknown) => process.send?.(failure(error)),
      )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ answer: 'started' })
}

function isReset(request: { request: string }): request is ResetRequest {
  return request.request === 'reset'
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
