import { mediaAttached, mediaFailed } from '@partsbus/contracts/events'
import { publishEvent } from '@partsbus/platform/bus/streams'
import type { MediaPart } from './media-part.js'
import { type MediaSet, NEVER, type OwedEvent, retryDelay } from './media-set.js'

/** An event whose publishing is not known to have worked is tried again after this. */
export const OWED_AGAIN_MS = 10_000

/** Publishes what sets owe, and lets go of what the stream has. At least once: a process killed in between leaves it owed. */
export async function publishOwed(media: MediaPart, sets: MediaSet[]): Promise<void> {
  await Promise.all(
    sets.map(async (set) => {
      const sent = await Promise.all(set.owed.map((event) => publish(media, set, event)))
      set.owed = set.owed.filter((_, at) => !sent[at])
    }),
  )
  const now = await media.sets.now()
  await media.sets.change(sets.map((set) => ({ set, to: nextRound(media, set, now, OWED_AGAIN_MS) })))
}

async function publish(media: MediaPart, set: MediaSet, event: OwedEvent): Promise<boolean> {
  const { bus, log } = media.parts
  if (!bus.isUp()) return false
  const head = { batch: event.id, at: event.at, item: set.item, erp_id: set.erp_id }
  try {
    if (event.kind === 'attached')
      await publishEvent(bus.nc, mediaAttached, { ...head, media_ids: event.media_ids }, event.id)
    else await publishEvent(bus.nc, mediaFailed, { ...head, urls: event.urls }, event.id)
    return true
  } catch (error) {
    log.warn({ err: error }, 'event not published, it stays owed')
    return false
  }
}

/** When a settled set wants a worker again: to retry images, or to publish what it still owes. */
export function nextRound(
  media: MediaPart,
  set: MediaSet,
  now: number,
  owedAgainMs: number,
): Pick<MediaSet, 'owed' | 'retry_at' | 'due_at'> {
  const delay = retryDelay(set.images, media.times.backoffMs)
  // a claim that came for an owed event alone leaves the images their time
  const retry_at =
    delay === undefined
      ? NEVER
      : set.retry_at.getTime() > now && set.retry_at < NEVER
        ? set.retry_at
        : new Date(now + delay)
  const due = set.owed.length > 0 ? Math.min(now + owedAgainMs, retry_at.getTime()) : retry_at.getTime()
  return { owed: set.owed, retry_at, due_at: new Date(due) }
}
