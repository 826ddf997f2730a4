import { AppError, texts } from '@partsbus/contracts/app-error'

/** The server gives an operation up before the client, which would have to close the connection. */
const SERVER_FIRST_MS = 100

/** What an operation is given: the type of a write has no `signal`, and ignores it. */
export interface TimeLimit {
  maxTimeMS: number
  signal: AbortSignal
}

/**
 * Runs an operation that may take a limited time, also if the server is frozen or cannot be reached. The driver's own
 * `timeoutMS` has no effect (mongodb 7.8.0).
 * @throws AppError OVERLOADED after the time
 */
export async function withTimeLimit<T>(ms: number, run: (limit: TimeLimit) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const { signal } = abort
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => {
      const error = new AppError('OVERLOADED', texts.unavailable)
      fail(error)
      abort.abort(error)
    }, ms + SERVER_FIRST_MS)
  })
  try {
    return await Promise.race([run({ maxTimeMS: Math.max(1, Math.ceil(ms)), signal }), late])
  } finally {
    clearTimeout(timer)
  }
}
