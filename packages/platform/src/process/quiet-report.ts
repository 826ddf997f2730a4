import type { ProcessReport } from '../mongo/process-store.js'
import type { PausableWork } from './pausable-work.js'

/** What a process tells a backup that waits until nothing writes (docs/operate/backup.md#quiet). */
export class QuietReport {
  private quietAt: Date | null = null
  private looking: Promise<void> | undefined

  /**
   * @param now a time by the clock of the database that is not in the future
   * @param drain resolves when the calls that arrived before have ended
   */
  constructor(
    private readonly now: () => Promise<Date>,
    private readonly work: PausableWork,
    private readonly drain: () => Promise<unknown>,
  ) {}

  /** The latest finding. Looks again, unless that is in progress. */
  read(): ProcessReport {
    this.looking ??= this.look()
      // while the database or the bus is down nothing is known
      .catch(() => undefined)
      .finally(() => {
        this.looking = undefined
      })
    const { isQuiet, busy, resumed } = this.work
    if (!isQuiet) this.quietAt = null
    return { quiet_at: this.quietAt, busy, resumed }
  }

  private async look(): Promise<void> {
    const begunAt = await this.now()
    const { resumed, isQuiet } = this.work
    if (!isQuiet) return
    await this.drain()
    if (this.work.isQuiet && this.work.resumed === resumed) this.quietAt = begunAt
  }
}
