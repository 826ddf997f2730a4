import { setMaxListeners } from 'node:events'
import { Inject, Injectable } from '@nestjs/common'
import { Batcher } from '@partsbus/platform/async/batcher'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { traceDeferred } from '@partsbus/platform/process/spans'
import { ClaimedImages } from './claimed-images.js'
import { MEDIA_TIMES, type MediaTimes } from './config.js'
import { ImageFetcher } from './image-fetcher.js'
import { type MediaSet, requestScope } from './media-set.js'
import { MediaSetStore } from './media-set-store.js'
import { type MediaSource, MediaStore } from './media-store.js'
import { SetSettler } from './set-settler.js'

/*
 * Works on claimed media sets: claimed (claim) → downloading, the claim is renewed → settled.
 * `stop` aborts the downloads and releases the claims, so that other workers continue at once.
 */
@Injectable()
export class MediaWorker {
  private readonly progress: Batcher<MediaSet>
  private readonly settling: Batcher<MediaSet>
  private readonly stopping = new AbortController()
  private readonly claimed = new Map<MediaSet, Promise<void>>()
  private readonly images = new ClaimedImages()
  private claimingHeldBack: Promise<void> | undefined
  private renewal: NodeJS.Timeout | undefined

  constructor(
    private readonly sets: MediaSetStore,
    private readonly media: MediaStore,
    private readonly fetcher: ImageFetcher,
    private readonly settler: SetSettler,
    private readonly pausable: PausableWork,
    @Inject(LOG) private readonly log: Log,
    @Inject(MEDIA_TIMES) private readonly times: MediaTimes,
  ) {
    // each download adds a listener
    setMaxListeners(0, this.stopping.signal)
    this.progress = new Batcher('images.progress', async (some) => {
      await sets.change(some.map((set) => ({ set, to: { images: set.images } })))
    })
    this.settling = new Batcher('images.settle', (some) => settler.settle(some))
  }

  hasRoom(): boolean {
    return this.images.hasRoom()
  }

  /** Hosts of which no further set is claimed for now. */
  fullHosts(): string[] {
    return this.images.fullHosts()
  }

  /**
   * Claims the due ones of these sets and starts to work on them. Ends when they are claimed; those of a host without
   * room are claimed later.
   */
  async claim(setIds: string[]): Promise<void> {
    const end = this.pausable.begin('images')
    if (!end) return
    try {
      await this.claimDue(setIds)
    } finally {
      // with the sets that were claimed before
      void Promise.allSettled(this.claimed.values()).then(end)
    }
  }

  private async claimDue(setIds: string[]): Promise<void> {
    this.renewal ??= setInterval(() => void this.renew(), this.times.leaseMs / 3)
    const fullHosts = this.fullHosts()
    const { sets, at } = await this.sets.claim(setIds, this.times.leaseMs, fullHosts)
    await this.holdBack(setIds, sets, fullHosts)
    const sources = await this.media.findSources(sets.flatMap((set) => set.images.map((image) => image.url)))
    for (const set of sets) {
      const release = this.images.add(set)
      const work = traceDeferred('images.fetch', requestScope(set), () => this.work(set, at, sources))
        .catch((error: unknown) =>
          this.log.warn(
            { err: error, request_id: set.request_id, set: set._id },
            'media set not settled, its claim will expire',
          ),
        )
        .finally(() => {
          this.claimed.delete(set)
          release()
          this.claimHeldBack()
        })
      this.claimed.set(set, work)
    }
    this.claimHeldBack()
  }

  private async holdBack(setIds: string[], claimed: MediaSet[], fullHosts: string[]): Promise<void> {
    const ids = new Set(setIds)
    for (const set of claimed) ids.delete(set._id)
    if (fullHosts.length === 0 || ids.size === 0) return
    for (const { id, host } of await this.sets.findOfHosts([...ids], fullHosts)) this.images.holdBack(host, id)
  }

  private claimHeldBack(): void {
    if (this.claimingHeldBack) return
    const ids = this.nextHeldBack()
    if (ids.length > 0) this.claimingHeldBack = this.claimAllHeldBack(ids)
  }

  private async claimAllHeldBack(first: string[]): Promise<void> {
    try {
      for (let ids = first; ids.length > 0; ids = this.nextHeldBack()) await this.claim(ids)
    } catch (error) {
      this.log.warn({ err: error }, 'media sets not claimed, the sweep will find them')
    } finally {
      this.claimingHeldBack = undefined
    }
  }

  private nextHeldBack(): string[] {
    return this.stopping.signal.aborted || !this.hasRoom() ? [] : this.images.takeHeldBack()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.claimingHeldBack
    await Promise.allSettled(this.claimed.values())
    clearInterval(this.renewal)
    await this.settler.drain()
    await this.fetcher.close()
  }

  private async work(set: MediaSet, claimedAt: number, sources: Map<string, MediaSource>): Promise<void> {
    const stop = this.stopping.signal
    if (!set.settled || set.retry_at.getTime() <= claimedAt) {
      const onFailure = (): void => void this.progress.add(set).catch(() => undefined)
      await this.fetcher.fetchSet(set, { sources, retries: this.times.backoffMs.length, stop, onFailure })
    }
    if (!stop.aborted) return this.settling.add(set)
    await this.sets.change([{ set, to: { images: set.images, due_at: new Date(await this.sets.now()) } }])
  }

  private async renew(): Promise<void> {
    const sets = [...this.claimed.keys()]
    if (sets.length === 0) return
    await this.sets.renew(sets, this.times.leaseMs).catch((error: unknown) => {
      this.log.warn({ err: error }, 'media claims not renewed')
    })
  }
}
