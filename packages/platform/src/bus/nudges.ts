import type { StreamPlan } from '@partsbus/contracts/streams'
import { type Consumer, jetstream, type JsMsg } from '@nats-io/jetstream'
import type { BusConnection } from './connection.js'
import { ensureStream } from './streams.js'

/** A lost nudge costs seconds at most, so that no request waits longer for it. */
const PUBLISH_MS = 2_000
/** The bus allows no shorter wait. */
const MIN_WAIT_MS = 1_000

export interface Nudge {
  /** undefined if the message has another form: a sweep finds its documents, and the queue must not repeat it */
  body: unknown
  acknowledge: () => void
  /** lets the queue deliver it again */
  reject: () => void
}

/**
 * Nudges on a work queue: "these documents need a worker". A nudge may be lost, repeated or late: the documents say
 * what is to be done, and a sweep finds those without a nudge.
 */
export class Nudges {
  private consumer: Promise<Consumer> | undefined

  /** @param plan of the queue, with one subject and one consumer */
  constructor(
    private readonly bus: BusConnection,
    private readonly plan: StreamPlan,
  ) {}

  /** Does not wait until the nudge is published. */
  send(body: unknown, failed: (error: unknown) => void): void {
    const [subject = ''] = this.plan.subjects
    if (!this.bus.isUp()) return
    jetstream(this.bus.nc)
      .publish(subject, Buffer.from(JSON.stringify(body)), { timeout: PUBLISH_MS })
      .catch(failed)
  }

  /**
   * Waits about `ms` for a nudge, and at least a second.
   * @throws when the stream cannot be reached; the next call opens it again
   */
  async next(ms: number): Promise<Nudge | undefined> {
    try {
      const consumer = await (this.consumer ??= this.openConsumer())
      const message = await consumer.next({ expires: Math.max(MIN_WAIT_MS, ms) })
      return message
        ? { body: readBody(message), acknowledge: () => message.ack(), reject: () => message.nak() }
        : undefined
    } catch (error) {
      this.consumer = undefined
      throw error
    }
  }

  private async openConsumer(): Promise<Consumer> {
    await ensureStream(this.bus.nc, this.plan)
    return jetstream(this.bus.nc).consumers.get(this.plan.name, this.plan.consumers?.[0])
  }
}

function readBody(message: JsMsg): unknown {
  try {
    return JSON.parse(message.string())
  } catch {
    return undefined
  }
}
