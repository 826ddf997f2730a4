import type { IncomingMessage } from 'node:http'
import { AppError } from '@partsbus/contracts/app-error'

/** A client must send this much on average over each window (partners.md#upload-7). */
const BYTES_PER_SECOND = 16 * 1024
const WINDOW_MS = 30_000

export interface RateWatch {
  /** aborted with AppError TOO_SLOW when the body arrives too slowly */
  signal: AbortSignal
  stop: () => void
}

/**
 * Watches the rate at which a body of any size arrives. Time during which the gateway itself paused the client, since
 * the storage was slower, does not count.
 */
export function watchMinimumRate(request: IncomingMessage, windowMs = WINDOW_MS): RateWatch {
  const { socket } = request
  const controller = new AbortController()
  let windowStart = socket.bytesRead
  let readMs = 0
  let readSince = request.isPaused() ? undefined : performance.now()
  const pause = (): void => {
    if (readSince !== undefined) readMs += performance.now() - readSince
    readSince = undefined
  }
  const resume = (): void => {
    // the event comes a tick after the call, when a full buffer may have paused the request again
    if (!request.isPaused()) readSince ??= performance.now()
  }
  request.on('pause', pause).on('resume', resume)
  const timer = setInterval(() => {
    pause()
    resume()
    // the client needs time to send again after a pause: the next window adds to a short one
    if (readMs < windowMs / 2) return
    const received = socket.bytesRead - windowStart
    const due = (BYTES_PER_SECOND * readMs) / 1_000
    windowStart = socket.bytesRead
    readMs = 0
    if (request.complete || received >= due) return
    controller.abort(new AppError('TOO_SLOW', 'The request did not arrive in time.'))
  }, windowMs).unref()
  return {
    signal: controller.signal,
    stop: () => {
      clearInterval(timer)
      request.off('pause', pause).off('resume', resume)
    },
  }
}
