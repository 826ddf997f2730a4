import { AdaptiveLimit } from '../async/adaptive-limit.js'
import type { QueueDelays } from '../process/queue-delay.js'

/** Requests that may be in progress at once, and those that always may. */
const MAX_IN_FLIGHT = 1_000
const MIN_IN_FLIGHT = 64
/** The part of the limit that is for any request; the rest is for those of high priority. */
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
  private readonly inProgress = { urgent: 0, common: 0 }
  private peak = 0

  /** @param readDelays the delays since the last call */
  constructor(readDelays: () => QueueDelays) {
    this.timer = setInterval(() => this.adjust(readDelays()), ADJUST_EVERY_MS).unref()
  }

  /**
   * Enters a request; {@link leave} must follow. Others never take the slots of those of high priority.
   * @param isUrgent of high priority
   * @returns false when it must be refused
   */
  enter(isUrgent: boolean): boolean {
    const { urgent, common } = this.inProgress
    const isAdmitted = isUrgent ? urgent < this.limit.current : urgent + common < this.limit.current * COMMON_SHARE
    if (!isAdmitted) return false
    this.inProgress[isUrgent ? 'urgent' : 'common'] += 1
    this.peak = Math.max(this.peak, urgent + common + 1)
    return true
  }

  leave(isUrgent: boolean): void {
    this.inProgress[isUrgent ? 'urgent' : 'common'] -= 1
  }

  adjust(delays: QueueDelays): void {
    const pressure = Math.max(delays.eventLoop / TARGETS.eventLoop, delays.connection / TARGETS.connection)
    this.limit.adjust(pressure, this.peak)
    this.peak = this.inProgress.urgent + this.inProgress.common
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
