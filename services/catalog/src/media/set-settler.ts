import { Inject, Injectable } from '@nestjs/common'
import { ItemMediaStore, type MediaSwap } from './item-media-store.js'
import { MediaEvents, newEvents } from './media-events.js'
import {
  type AttachedMedia,
  attachedMedia,
  isSameMedia,
  type MediaItem,
  type MediaSet,
  nextRound,
} from './media-set.js'
import { MediaSetStore } from './media-set-store.js'
import { MediaStore } from './media-store.js'
import { MEDIA_TIMES, type MediaTimes } from './media-times.js'
import { SettlementWaiter } from './settlement-waiter.js'

interface PlannedSwap extends MediaSwap {
  set: MediaSet
}

/** Ends a round of attempts of media sets: writes the results and gives the items their media. */
@Injectable()
export class SetSettler {
  constructor(
    private readonly sets: MediaSetStore,
    private readonly items: ItemMediaStore,
    private readonly media: MediaStore,
    private readonly events: MediaEvents,
    private readonly waiter: SettlementWaiter,
    @Inject(MEDIA_TIMES) private readonly times: MediaTimes,
  ) {}

  /**
   * Events are recorded before the item is written: a process killed in between leaves either the old media and a set
   * that is due again, or the new media and an event that is published by the next worker.
   * @param claimed sets with the current state of their images
   */
  async settle(claimed: MediaSet[]): Promise<void> {
    const planned = [...(await this.planSwaps('product', claimed)), ...(await this.planSwaps('category', claimed))]
    const at = new Date().toISOString()
    const now = await this.sets.now()
    for (const { set, media, changes } of planned)
      set.owed.push(...newEvents(set, changes ? media?.map(({ id }) => id) : undefined, at))
    const settled = (set: MediaSet) => ({ settled: true, ...nextRound(set, now, this.times.backoffMs) })
    const changes = planned.map((swap) => ({
      set: swap.set,
      to: { images: swap.set.images, ...(swap.changes ? { owed: swap.set.owed } : settled(swap.set)) },
    }))
    const unchanged = (await this.sets.change(changes)) ? undefined : await this.sets.findUnchanged(claimed)
    const swaps = planned.filter(({ set }) => !unchanged || unchanged.has(set._id))
    for (const item of ['product', 'category'] as const)
      await this.items.swap(
        item,
        swaps.filter(({ set }) => set.item === item),
      )
    for (const { set } of planned) this.waiter.notify(set._id, set.request)
    await this.sets.change(swaps.filter((swap) => swap.changes).map(({ set }) => ({ set, to: settled(set) })))
    this.events.publishInBackground(swaps.map(({ set }) => set).filter((set) => set.owed.length > 0))
  }

  /** Waits until the events of settled sets are published. */
  drain(): Promise<void> {
    return this.events.drain()
  }

  private async planSwaps(item: MediaItem, all: MediaSet[]): Promise<PlannedSwap[]> {
    const sets = all.filter((set) => set.item === item)
    if (sets.length === 0) return []
    const [current, records] = await Promise.all([
      this.items.find(
        item,
        sets.map((set) => set.erp_id),
      ),
      this.media.getMany(sets.flatMap((set) => set.images.flatMap((image) => image.media_id ?? []))),
    ])
    const findMedia = (id: number): AttachedMedia | undefined => {
      const record = records.get(id)
      if (!record) return undefined
      const { file_name, mime_type, size, width, height } = record
      return { id, file_name, mime_type, size, width, height }
    }
    return sets.map((set) => {
      const media = attachedMedia(set.images, findMedia)
      const stored = current.get(set.erp_id)
      return { set, media, changes: media !== undefined && stored !== undefined && !isSameMedia(media, stored) }
    })
  }
}
