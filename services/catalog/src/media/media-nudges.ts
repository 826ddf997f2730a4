import type { StreamPlan } from '@partsbus/contracts/streams'
import { type BusConnection } from '@partsbus/platform/bus/connection'
import { ensureStream } from '@partsbus/platform/bus/streams'
import type { Log } from '@partsbus/platform/process/log'
import { type Consumer, jetstream, type JsMsg } from '@nats-io/jetstream'

/** Sets in one nudge. */
const SETS = 50
const WAIT_MS = 1_000
/** A nudge that is lost costs seconds and nothing else, so nobody waits long for it. */
const PUBLISH_MS = 2_000

/**
 * Nudges on the work queue: "these sets want a worker". A nudge may be lost, come twice or come late;
 * the sets' documents say what is to be done, and the sweeper finds what nobody was nudged for.
 */
export class MediaNudges {
  private readonly bus: BusConnection
  private readonly plan: StreamPlan
  private readonly subject: string
  private readonly log: Log
  private consumer: Consumer | undefined

  constructor(bus: BusConnection, plan: StreamPlan, subject: string, log: Log) {
    this.bus = bus
    this.plan = plan
    this.subject = subject
    this.log = log
  }

  /** Sends nudges and does not wait for them. */
  send(setIds: string[]): void {
    if (!this.bus.isUp()) return
    const js = jetstream(this.bus.nc)
    for (let at = 0; at < setIds.length; at += SETS) {
      js.publish(this.subject, Buffer.from(JSON.stringify(setIds.slice(at, at + SETS))), { timeout: PUBLISH_MS }).catch(
        (error: unknown) => {
          this.log.warn({ err: error }, 'workers were not told of pictures to fetch; the sweeper will find them')
        },
      )
    }
  }

  /**
   * Waits about a second for a nudge.
   * @returns ids of sets and the acknowledgement; undefined when there was none
   * @throws when the stream cannot be reached; the next call makes it anew
   */
  async next(): Promise<{ setIds: string[]; taken: () => void; refused: () => void } | undefined> {
    try {
      this.consumer ??= await this.open()
      const message = await this.consumer.next({ expires: WAIT_MS })
      return message
        ? { setIds: readIds(message), taken: () => message.ack(), refused: () => message.nak() }
        : undefined
    } catch (error) {
      this.consumer = undefined
      throw error
    }
  }

  private async open(): Promise<Consumer> {
    await ensureStream(this.bus.nc, this.plan)
    return jetstream(this.bus.nc).consumers.get(this.plan.name, this.plan.consumers?.[0])
  }
}

function readIds(message: JsMsg): string[] {
  const ids: unknown = JSON.parse(message.string())
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
