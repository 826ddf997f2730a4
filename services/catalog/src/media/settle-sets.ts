import { randomUUID } from 'node:crypto'
import type { MediaSwap } from './item-media-store.js'
import type { MediaPart } from './media-part.js'
import {
  type AttachedMedia,
  attachedMedia,
  hasFailed,
  isSameMedia,
  type MediaItem,
  type MediaSet,
  type OwedEvent,
} from './media-set.js'
import { nextRound, OWED_AGAIN_MS } from './publish-owed.js'

interface PlannedSwap extends MediaSwap {
  set: MediaSet
}

/**
 * Ends a round of attempts of many sets: writes how their images fared, and gives the items their pictures.
 * Events are noted before the item is written, so that a process killed in between leaves either the old pictures
 * and the set due again, or the new ones and an event that is owed until the stream has it.
 * @param claimed sets with their images as they are now
 * @returns the sets that owe an event now
 */
export async function settleSets(media: MediaPart, claimed: MediaSet[]): Promise<MediaSet[]> {
  const planned = [...(await planSwaps(media, 'product', claimed)), ...(await planSwaps(media, 'category', claimed))]
  const at = new Date().toISOString()
  const now = await media.sets.now()
  for (const swap of planned) swap.set.owed.push(...newEvents(swap, at))
  const over = (set: MediaSet) => ({ settled: true, ...nextRound(media, set, now, OWED_AGAIN_MS) })
  const changes = planned.map((swap) => ({
    set: swap.set,
    to: { images: swap.set.images, ...(swap.changes ? { owed: swap.set.owed } : over(swap.set)) },
  }))
  const held = (await media.sets.change(changes)) ? undefined : await media.sets.findHeld(claimed)
  const swaps = planned.filter(({ set }) => !held || held.has(set._id))
  await media.items.swap(
    'product',
    swaps.filter(({ set }) => set.item === 'product'),
  )
  await media.items.swap(
    'category',
    swaps.filter(({ set }) => set.item === 'category'),
  )
  for (const { set } of planned) media.settled.tell(set._id, set.request)
  await media.sets.change(swaps.filter((swap) => swap.changes).map(({ set }) => ({ set, to: over(set) })))
  return swaps.map(({ set }) => set).filter((set) => set.owed.length > 0)
}

async function planSwaps(media: MediaPart, item: MediaItem, all: MediaSet[]): Promise<PlannedSwap[]> {
  const sets = all.filter((set) => set.item === item)
  if (sets.length === 0) return []
  const [current, stored] = await Promise.all([
    media.items.find(
      item,
      sets.map((set) => set.erp_id),
    ),
    media.media.findMany(sets.flatMap((set) => set.images.flatMap((image) => image.media_id ?? []))),
  ])
  const record = (id: number): AttachedMedia | undefined => {
    const found = stored.get(id)
    return (
      found && {
        id,
        file_name: found.file_name,
        mime_type: found.mime_type,
        size: found.size,
        width: found.width,
        height: found.height,
      }
    )
  }
  return sets.map((set) => {
    const wanted = attachedMedia(set.images, record)
    const held = current.get(set.erp_id)
    return { set, media: wanted, changes: wanted !== undefined && held !== undefined && !isSameMedia(wanted, held) }
  })
}

/** What this round has to tell, without what a process that was killed in the middle of it has noted already. */
function newEvents({ set, media, changes }: PlannedSwap, at: string): OwedEvent[] {
  const failed = set.settled ? [] : set.images.filter(hasFailed).map((image) => image.url)
  const attached = changes ? media?.map(({ id }) => id) : undefined
  const events: OwedEvent[] = []
  if (attached && !set.owed.some((event) => event.kind === 'attached' && isSame(event.media_ids, attached))) {
    events.push({ id: randomUUID(), at, kind: 'attached', media_ids: attached })
  }
  if (failed.length > 0 && !set.owed.some((event) => event.kind === 'failed' && isSame(event.urls, failed))) {
    events.push({ id: randomUUID(), at, kind: 'failed', urls: failed })
  }
  return events
}

function isSame<T>(a: T[], b: T[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at])
}
