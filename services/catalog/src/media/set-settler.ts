import { Inject, Injectable } from '@nestjs/common'
import { MEDIA_TIMES, type MediaTimes } from './config.js'
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

/** Pause before the sets are read; it grows from the first to the last value, and with the number of sets. */
const FIRST_MS = 40
const LAST_MS = 1_000
const EACH_SET_MS = 0.4

type Listener = (setId: string, request: string) => void

interface PlannedSwap extends MediaSwap {
  set: MediaSet
}

/**
 * Ends a round of attempts of media sets: writes the results and gives the items their media. Requests wait here for
 * that.
 */
@Injectable()
export class SetSettler {
  private readonly listeners = new Set<Listener>()

  constructor(
    private readonly sets: MediaSetStore,
    private readonly items: ItemMediaStore,
    private readonly media: MediaStore,
    private readonly events: MediaEvents,
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
    for (const { set } of planned) for (const listener of this.listeners) listener(set._id, set.request)
    await this.sets.change(swaps.filter((swap) => swap.changes).map(({ set }) => ({ set, to: settled(set) })))
    this.events.publishInBackground(swaps.map(({ set }) => set).filter((set) => set.owed.length > 0))
  }

  /**
   * Waits until every set of a request is settled, or replaced by another request, for at most `waitMs`. Sets settled
   * by this process are known at once; those of other processes are found by polling.
   */
  async wait(setIds: readonly string[], request: string, waitMs: number): Promise<void> {
    const open = new Set(setIds)
    const end = performance.now() + waitMs
    let wake = (): void => undefined
    const listener: Listener = (id, by) => {
      if (by === request && open.delete(id) && open.size === 0) wake()
    }
    this.listeners.add(listener)
    try {
      for (let pause = FIRST_MS; open.size > 0; pause = Math.min(pause * 1.6, LAST_MS)) {
        const left = end - performance.now()
        if (left <= 0) return
        await new Promise<void>((done) => {
          const timer = setTimeout(done, Math.min(Math.max(pause, open.size * EACH_SET_MS), left))
          wake = () => {
            clearTimeout(timer)
            done()
          }
        })
        if (open.size > 0) for (const id of await this.sets.findSettled([...open], request)) open.delete(id)
      }
    } finally {
      this.listeners.delete(listener)
    }
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
