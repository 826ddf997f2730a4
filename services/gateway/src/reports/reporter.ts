import { WriteBehind, type WriteBehindOptions } from '@partsbus/platform/async/write-behind'
import type { Log } from '@partsbus/platform/process/log'

/** How long the administration service may take for a report, in ms. */
export const REPORT_TIMEOUT_MS = 5_000

/**
 * What a gateway collects in memory and the administration service stores, so that no request waits for it. It is sent
 * from time to time, before it is asked for, and when the gateway stops; a gateway that is killed loses what it has not
 * sent. What cannot be sent is kept for the next time.
 */
export class Reporter<Report> {
  private readonly reports: WriteBehind<Report>
  private readonly failed: (error: unknown) => void

  /** @param what is named in the log when it could not be sent */
  constructor(what: string, log: Log, options: Omit<WriteBehindOptions<Report>, 'failed'>) {
    this.failed = (error) => log.warn({ err: error }, `${what} not sent, will retry`)
    this.reports = new WriteBehind({ ...options, failed: this.failed })
  }

  /** Sends what was collected until now. @throws AppError when it could not be stored */
  flush(): Promise<void> {
    return this.reports.flush()
  }

  /** As {@link flush}; what cannot be sent is logged and kept. */
  flushQuietly(): Promise<void> {
    return this.flush().catch(this.failed)
  }

  /** Sends the rest. */
  stop(): Promise<void> {
    return this.reports.stop()
  }

  protected collect(report: Report): void {
    this.reports.collect(report)
  }
}
