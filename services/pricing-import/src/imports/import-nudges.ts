import { Inject, Injectable } from '@nestjs/common'
import { streams } from '@partsbus/contracts/streams'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { Nudges } from '@partsbus/platform/bus/nudges'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes workers when there is something to import. Nudges may get lost: workers also look every second or two. */
@Injectable()
export class ImportNudges {
  private readonly nudges: Nudges

  constructor(
    @Inject(BUS) private readonly bus: BusConnection,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.nudges = new Nudges(bus, streams.imports)
  }

  /** Publishes a nudge without waiting for it. */
  send(taskId: number): void {
    this.nudges.send({ task_id: taskId }, (error) =>
      this.log.warn({ err: error, task: taskId }, 'import nudge not published'),
    )
  }

  /** Waits for a nudge, at most `ms`. It is acknowledged at once, because the state is in the task. */
  async wait(ms: number): Promise<void> {
    if (!this.bus.isUp()) return sleep(ms)
    try {
      const nudge = await this.nudges.next(ms)
      nudge?.acknowledge()
    } catch (error) {
      this.log.warn({ err: error }, 'import nudges not available')
      await sleep(ms)
    }
  }
}
