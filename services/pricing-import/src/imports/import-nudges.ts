import { Inject, Injectable } from '@nestjs/common'
import { IMPORT_JOBS_SUBJECT } from '@partsbus/contracts/pricing-import/commands'
import { streams } from '@partsbus/contracts/streams'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { ensureStream } from '@partsbus/platform/bus/streams'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Consumer, jetstream } from '@nats-io/jetstream'

const PUBLISH_MS = 2_000

/** Wakes workers when there is something to import. Nudges may get lost: workers also look every second or two. */
@Injectable()
export class ImportNudges {
  private consumer: Promise<Consumer> | undefined

  constructor(
    @Inject(BUS) private readonly bus: BusConnection,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Publishes a nudge without waiting for it. */
  send(taskId: number): void {
    if (!this.bus.isUp()) return
    jetstream(this.bus.nc)
      .publish(IMPORT_JOBS_SUBJECT, Buffer.from(JSON.stringify({ task_id: taskId })), { timeout: PUBLISH_MS })
      .catch((error: unknown) => {
        this.log.warn({ err: error, task: taskId }, 'import nudge not published')
      })
  }

  /** Waits for a nudge, at most `ms`. It is acknowledged at once, because the state is in the task. */
  async wait(ms: number): Promise<void> {
    if (!this.bus.isUp()) return sleep(ms)
    try {
      const consumer = await (this.consumer ??= this.open())
      const message = await consumer.next({ expires: Math.max(1_000, ms) })
      message?.ack()
    } catch (error) {
      this.consumer = undefined
      this.log.warn({ err: error }, 'import nudges not available')
      await sleep(ms)
    }
  }

  private async open(): Promise<Consumer> {
    await ensureStream(this.bus.nc, streams.imports)
    return jetstream(this.bus.nc).consumers.get(streams.imports.name, streams.imports.consumers[0])
  }
}
