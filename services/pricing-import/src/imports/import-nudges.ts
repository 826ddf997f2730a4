import { IMPORT_JOBS_SUBJECT } from '@partsbus/contracts/pricing'
import { streams } from '@partsbus/contracts/streams'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { ensureStream } from '@partsbus/platform/bus/streams'
import type { Log } from '@partsbus/platform/process/log'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Consumer, jetstream } from '@nats-io/jetstream'

const PUBLISH_MS = 2_000

/** "There is something to import." A nudge may be lost or come twice: workers look by themselves every second or two. */
export class ImportNudges {
  private readonly bus: BusConnection
  private readonly log: Log
  private consumer: Promise<Consumer> | undefined

  constructor(bus: BusConnection, log: Log) {
    this.bus = bus
    this.log = log
  }

  /** Sends a nudge and does not wait for it. */
  send(taskId: number): void {
    if (!this.bus.isUp()) return
    jetstream(this.bus.nc)
      .publish(IMPORT_JOBS_SUBJECT, Buffer.from(JSON.stringify({ task_id: taskId })), { timeout: PUBLISH_MS })
      .catch((error: unknown) => {
        this.log.warn({ err: error, task: taskId }, 'workers were not told of an import; they will find it')
      })
  }

  /** Waits for a nudge, `ms` at most; without a bus it only waits. A nudge is taken off the queue at once: the task says what is to be done. */
  async wait(ms: number): Promise<void> {
    if (!this.bus.isUp()) return sleep(ms)
    try {
      const consumer = await (this.consumer ??= this.open())
      const message = await consumer.next({ expires: Math.max(1_000, ms) })
      message?.ack()
    } catch (error) {
      this.consumer = undefined
      this.log.warn({ err: error }, 'no nudges for now')
      await sleep(ms)
    }
  }

  private async open(): Promise<Consumer> {
    await ensureStream(this.bus.nc, streams.imports)
    return jetstream(this.bus.nc).consumers.get(streams.imports.name, streams.imports.consumers[0])
  }
}
