import { AdaptiveLimit } from '../async/adaptive-limit.js'
import type { QueueDelays } from '../process/queue-delay.js'

/** Requests that may be in progress at once, and those that always may. */
const MAX_IN_FLIGHT = 1_000
const MIN_IN_FLIGHT = 16
/** The part of the limit that is for any request; the rest is for batches of the ERP. */
const COMMON_SHARE = 0.75
const ADJUST_EVERY_MS = 250

/** Delays above which a service has a backlog, in ms. */
const TARGETS: QueueDelays = { eventLoop: 100, connection: 1_000 }

/**
 * How many requests a service works on at once. The limit follows the delay before work begins, so that a service with
 * a backlog answers OVERLOADED at once instead of letting calls time out; gateways that are answered so send less.
 */
export class LoadLimit {
  private readonly limit = new AdaptiveLimit({ initial: MAX_IN_FLIGHT, min: MIN_IN_FLIGHT, max: MAX_IN_FLIGHT })
  private readonly timer: NodeJS.Timeout
  private peak = 0

  /** @param readDelays the delays since the last call */
  constructor(readDelays: () => QueueDelays) {
    this.timer = setInterval(() => this.adjust(readDelays()), ADJUST_EVERY_MS).unref()
  }

  /**
   * @param inFlight requests in progress, this one included
   * @param isUrgent a batch of the ERP, which may use the whole limit
   */
  admits(inFlight: number, isUrgent: boolean): boolean {
    this.peak = Math.max(this.peak, inFlight)
    return inFlight <= this.limit.current * (isUrgent ? 1 : COMMON_SHARE)
  }

  adjust(delays: QueueDelays): void {
    const pressure = Math.max(delays.eventLoop / TARGETS.eventLoop, delays.connection / TARGETS.connection)
    this.limit.adjust(pressure, this.peak)
    this.peak = 0
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
