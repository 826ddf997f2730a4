import { randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { mediaAttached, mediaFailed } from '@partsbus/contracts/events'
import { BackgroundWork } from '@partsbus/platform/async/background-work'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishEvent } from '@partsbus/platform/bus/streams'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { continueTrace } from '@partsbus/platform/process/spans'
import { MEDIA_TIMES, type MediaTimes } from './config.js'
import { hideCredentials } from './fetch/shown-url.js'
import { hasFailed, type MediaSet, nextRound, type PendingEvent, requestScope } from './media-set.js'
import { MediaSetStore } from './media-set-store.js'

/** The events of media sets. They are part of the set's document until the stream has them. */
@Injectable()
export class MediaEvents {
  private readonly publishing = new BackgroundWork()

  constructor(
    private readonly sets: MediaSetStore,
    @Inject(BUS) private readonly bus: BusConnection,
    @Inject(LOG) private readonly log: Log,
    @Inject(MEDIA_TIMES) private readonly times: MediaTimes,
  ) {}

  /** Publishes without making the worker wait; a set whose events fail becomes due again. */
  publishInBackground(sets: MediaSet[]): void {
    if (sets.length === 0) return
    this.publishing.add(this.publish(sets), (error) =>
      this.log.warn({ err: error }, 'media events not published, will retry'),
    )
  }

  drain(): Promise<void> {
    return this.publishing.drain()
  }

  /** At least once: a process killed between publishing and the change leaves the events in the set. */
  private async publish(sets: MediaSet[]): Promise<void> {
    await Promise.all(
      sets.map(async (set) => {
        const isPublished = await Promise.all(set.owed.map((event) => this.publishOne(set, event)))
        set.owed = set.owed.filter((_, at) => !isPublished[at])
      }),
    )
    const now = await this.sets.now()
    await this.sets.change(sets.map((set) => ({ set, to: nextRound(set, now, this.times.backoffMs) })))
  }

  private async publishOne(set: MediaSet, event: PendingEvent): Promise<boolean> {
    const { nc } = this.bus
    if (!this.bus.isUp()) return false
    const head = { batch: event.id, at: event.at, item: set.item, erp_id: set.erp_id }
    try {
      await continueTrace(requestScope(set), () =>
        event.kind === 'attached'
          ? publishEvent(nc, mediaAttached, { ...head, media_ids: event.media_ids }, event.id)
          : publishEvent(nc, mediaFailed, { ...head, urls: event.urls }, event.id),
      )
      return true
    } catch (error) {
      this.log.warn({ err: error, set: set._id }, 'media event not published, will retry')
      return false
    }
  }
}

/**
 * The events of one round of attempts, without those that a worker killed in the same round has recorded already.
 * @param attached ids of the media that the item gets; undefined when they stay the same
 */
export function newEvents(set: MediaSet, attached: number[] | undefined, at: string): PendingEvent[] {
  const failed = set.settled ? [] : set.images.filter(hasFailed).map((image) => hideCredentials(image.url))
  const events: PendingEvent[] = []
  if (attached && !set.owed.some((event) => event.kind === 'attached' && isSame(event.media_ids, attached)))
    events.push({ id: randomUUID(), at, kind: 'attached', media_ids: attached })
  if (failed.length > 0 && !set.owed.some((event) => event.kind === 'failed' && isSame(event.urls, failed)))
    events.push({ id: randomUUID(), at, kind: 'failed', urls: failed })
  return events
}

function isSame<T>(a: T[], b: T[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at])
}
