import type { Log } from '@partsbus/platform/process/log'

/** Work that no request waits for, and that must end before the connections close. */
export class Background {
  private readonly log: Log
  private readonly running = new Set<Promise<void>>()
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(log: Log) {
    this.log = log
  }

  /** A failure is logged: whatever is started here is repeated by a sweeper. */
  run(name: string, task: () => Promise<void>): void {
    const done = task()
      .catch((error: unknown) => this.log.warn({ err: error, task: name }, 'background work failed'))
      .then(() => {
        this.running.delete(done)
      })
    this.running.add(done)
  }

  /** Runs `task` again and again, never two at a time, until {@link stop}. */
  repeat(name: string, everyMs: number, task: () => Promise<void>): void {
    let busy = false
    this.timers.add(
      setInterval(() => {
        if (busy) return
        busy = true
        this.run(name, () =>
          task().finally(() => {
            busy = false
          }),
        )
      }, everyMs).unref(),
    )
  }

  /** Starts nothing more and waits for what runs. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    while (this.running.size > 0) await Promise.all(this.running)
  }
}
