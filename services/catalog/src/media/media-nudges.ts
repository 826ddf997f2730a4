import { type Consumer, jetstream, type JsMsg } from '@nats-io/jetstream'
import { Inject, Injectable } from '@nestjs/common'
import { MEDIA_JOBS_SUBJECT, streams } from '@partsbus/contracts/streams'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { ensureStream } from '@partsbus/platform/bus/streams'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'

/** Stream and subject of the nudges. Provided under this token, so that tests can have their own. */
export const MEDIA_QUEUE = Symbol('media queue')

export interface MediaQueue {
  name: string
  subject: string
}

export const mediaQueue: MediaQueue = { name: streams.media.name, subject: MEDIA_JOBS_SUBJECT }

/** Sets in one nudge. */
const SETS = 50
const WAIT_MS = 1_000
/** A lost nudge costs seconds at most, so that no request waits longer for it. */
const PUBLISH_MS = 2_000

/**
 * Nudges on the work queue: "these sets need a worker". A nudge may be lost, repeated or late: the documents of the
 * sets say what is to be done, and the sweep finds the sets without a nudge.
 */
@Injectable()
export class MediaNudges {
  private consumer: Consumer | undefined

  constructor(
    @Inject(BUS) private readonly bus: BusConnection,
    @Inject(MEDIA_QUEUE) private readonly queue: MediaQueue,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Does not wait until the nudges are published. */
  send(setIds: readonly string[]): void {
    if (!this.bus.isUp()) return
    const js = jetstream(this.bus.nc)
    for (let at = 0; at < setIds.length; at += SETS) {
      js.publish(this.queue.subject, Buffer.from(JSON.stringify(setIds.slice(at, at + SETS))), {
        timeout: PUBLISH_MS,
      }).catch((error: unknown) => {
        this.log.warn({ err: error }, 'media nudge not sent, the sweep will find the sets')
      })
    }
  }

  /**
   * Waits about a second for a nudge.
   * @throws when the stream cannot be reached; the next call opens it again
   */
  async next(): Promise<{ setIds: string[]; acknowledge: () => void; reject: () => void } | undefined> {
    try {
      this.consumer ??= await this.openConsumer()
      const message = await this.consumer.next({ expires: WAIT_MS })
      return message
        ? { setIds: readIds(message), acknowledge: () => message.ack(), reject: () => message.nak() }
        : undefined
    } catch (error) {
      this.consumer = undefined
      throw error
    }
  }

  private async openConsumer(): Promise<Consumer> {
    const { name, subject } = this.queue
    const plan = { ...streams.media, name, subjects: [subject] }
    await ensureStream(this.bus.nc, plan)
    return jetstream(this.bus.nc).consumers.get(name, plan.consumers[0])
  }
}

/** None if the message has another form: the sweep finds its sets, and the queue must not repeat it. */
function readIds(message: JsMsg): string[] {
  try {
    const ids: unknown = JSON.parse(message.string())
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
