import type { IncomingMessage } from 'node:http'
import { AppError } from '@partsbus/contracts/errors'

/** A client must send this much on average over each window (partners.md#upload-7). */
const BYTES_PER_SECOND = 16 * 1024
const WINDOW_MS = 30_000

export interface RateWatch {
  /** aborted with AppError TOO_SLOW when the body arrives too slowly */
  signal: AbortSignal
  stop: () => void
}

/**
 * Watches the rate at which a body of any size arrives. Windows during which the gateway itself paused the client,
 * since the storage was slower, do not count.
 */
export function watchMinimumRate(request: IncomingMessage, windowMs = WINDOW_MS): RateWatch {
  const { socket } = request
  const controller = new AbortController()
  let windowStart = socket.bytesRead
  let wasPaused = false
  request.on('pause', notePause)
  function notePause(): void {
    wasPaused = true
  }
  const timer = setInterval(() => {
    const received = socket.bytesRead - windowStart
    const isExempt = request.complete || wasPaused || request.isPaused()
    windowStart = socket.bytesRead
    wasPaused = false
    if (isExempt || received >= (BYTES_PER_SECOND * windowMs) / 1_000) return
    controller.abort(new AppError('TOO_SLOW', 'The request did not arrive in time.'))
  }, windowMs).unref()
  return {
    signal: controller.signal,
    stop: () => {
      clearInterval(timer)
      request.off('pause', notePause)
    },
  }
}
