import type { Log } from '@partsbus/platform/process/log'

/** How long the administration service may take for a report, in ms. */
export const REPORT_TIMEOUT_MS = 5_000

/**
 * What a gateway collects in memory and the administration service stores, so that no request waits for it. It is sent
 * from time to time, before it is asked for, and when the gateway stops; a gateway that is killed loses what it has not
 * sent. What cannot be sent is kept for the next time.
 */
export abstract class Reporter {
  private sending: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined

  /** @param what is named in the log when it could not be sent */
  constructor(
    private readonly everyMs: number,
    private readonly what: string,
    private readonly log: Log,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.flushQuietly(), this.everyMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.flushQuietly()
  }

  /** Sends what was collected until now. @throws AppError when it could not be stored */
  async flush(): Promise<void> {
    await this.sending?.catch(() => undefined)
    this.sending = this.send()
    await this.sending
  }

  /** Sends what was collected, and keeps it when that fails. */
  protected abstract send(): Promise<void>

  /** As {@link flush}; what cannot be sent is logged and kept. */
  flushQuietly(): Promise<void> {
    return this.flush().catch((error: unknown) => this.log.warn({ err: error }, `${this.what} not sent, will retry`))
  }
}
