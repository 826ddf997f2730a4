import { Inject, Injectable } from '@nestjs/common'
import { streams } from '@partsbus/contracts/streams'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { type Nudge, Nudges } from '@partsbus/platform/bus/nudges'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'

/** Stream and subject of the nudges. Provided under this token, so that tests can have their own. */
export const MEDIA_QUEUE = Symbol('media queue')

export interface MediaQueue {
  name: string
  subject: string
}

export const mediaQueue: MediaQueue = { name: streams.media.name, subject: streams.media.subjects[0] }

/** Sets in one nudge. */
const SETS = 50
const WAIT_MS = 1_000

/** Nudges the workers of sets. The sweep finds the sets without a nudge. */
@Injectable()
export class MediaNudges {
  private readonly nudges: Nudges

  constructor(
    @Inject(BUS) bus: BusConnection,
    @Inject(MEDIA_QUEUE) { name, subject }: MediaQueue,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.nudges = new Nudges(bus, { ...streams.media, name, subjects: [subject] })
  }

  /** Does not wait until the nudges are published. */
  send(setIds: readonly string[]): void {
    for (let at = 0; at < setIds.length; at += SETS)
      this.nudges.send(setIds.slice(at, at + SETS), (error) =>
        this.log.warn({ err: error }, 'media nudge not sent, the sweep will find the sets'),
      )
  }

  /** Waits about a second for a nudge. @throws when the stream cannot be reached */
  async next(): Promise<(Omit<Nudge, 'body'> & { setIds: string[] }) | undefined> {
    const nudge = await this.nudges.next(WAIT_MS)
    if (!nudge) return undefined
    const { body, ...answers } = nudge
    return { setIds: Array.isArray(body) ? body.filter((id) => typeof id === 'string') : [], ...answers }
  }
}
