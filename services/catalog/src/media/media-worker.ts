import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from './batcher.js'
import type { Fetched } from './fetch-image.js'
import { fetchSet } from './fetch-set.js'
import { DownloadQueue } from './fetch/download-queue.js'
import { type FreshPicture, keepPictures } from './keep-pictures.js'
import type { MediaPart } from './media-part.js'
import type { MediaSet } from './media-set.js'
import { publishOwed } from './publish-owed.js'
import { settleSets } from './settle-sets.js'

/** Images of claimed sets a process holds at most; what is beyond is left to others. */
const MAX_HELD = 400
const CLAIMED_AT_ONCE = 50
/** A loop that waits for a bus that is away is left to itself after this. */
const STOP_MS = 3_000

/*
 * One process's share of the downloads: idle → working (start) → stopping (stop) → stopped.
 * It takes sets that it was nudged for and sets that the sweep found due, claims them, keeps the claims alive while it
 * downloads, and settles them. Stopping breaks the downloads off and gives the claims back.
 */
export class MediaWorker {
  private readonly media: MediaPart
  private readonly queue: DownloadQueue
  private readonly underWay = new Map<string, Promise<Fetched>>()
  private readonly keep: Batcher<FreshPicture>
  private readonly progress: Batcher<MediaSet>
  private readonly settle: Batcher<MediaSet>
  private readonly stopping = new AbortController()
  private readonly held = new Map<MediaSet, Promise<void>>()
  private readonly loops: Array<Promise<void>> = []
  private readonly telling = new Set<Promise<void>>()
  private renewal: NodeJS.Timeout | undefined

  constructor(media: MediaPart) {
    this.media = media
    // every download listens
    setMaxListeners(0, this.stopping.signal)
    this.queue = new DownloadQueue({
      total: media.config.MEDIA_DOWNLOADS,
      perHost: media.config.MEDIA_DOWNLOADS_PER_HOST,
    })
    this.keep = new Batcher((pictures) => keepPictures(media, pictures))
    this.progress = new Batcher(async (sets) => {
      await media.sets.change(sets.map((set) => ({ set, to: { images: set.images } })))
    })
    this.settle = new Batcher(async (sets) => this.tell(await settleSets(media, sets)))
  }

  start(): void {
    this.loops.push(this.followNudges(), this.sweep())
    this.renewal = setInterval(() => void this.renew(), this.media.times.leaseMs / 3)
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((done) => {
      timer = setTimeout(done, STOP_MS)
    })
    await Promise.race([Promise.allSettled(this.loops), late])
    clearTimeout(timer)
    await Promise.allSettled(this.held.values())
    await Promise.allSettled(this.telling)
    clearInterval(this.renewal)
  }

  /** Claims those of the sets that are due and works on them. Ends when they are claimed. */
  async take(setIds: string[]): Promise<void> {
    const { sets, at } = await this.media.sets.claim(setIds, this.media.times.leaseMs)
    const sources = await this.media.sources.find(sets.flatMap((set) => set.images.map((image) => image.url)))
    for (const set of sets) {
      const work = this.work(set, at, sources)
        .catch((error: unknown) =>
          this.media.parts.log.warn(
            { err: error, set: set._id },
            'pictures of an item not settled; its claim runs out',
          ),
        )
        .finally(() => this.held.delete(set))
      this.held.set(set, work)
    }
  }

  private async work(
    set: MediaSet,
    claimedAt: number,
    sources: Parameters<typeof fetchSet>[1]['sources'],
  ): Promise<void> {
    const stop = this.stopping.signal
    if (!set.settled || set.retry_at.getTime() <= claimedAt) {
      const onFailure = (): void => void this.progress.add(set).catch(() => undefined)
      await fetchSet(this.media, {
        set,
        sources,
        queue: this.queue,
        underWay: this.underWay,
        keep: this.keep,
        stop,
        onFailure,
      })
    }
    if (!stop.aborted) return this.settle.add(set)
    await this.media.sets.change([{ set, to: { images: set.images, due_at: new Date(await this.media.sets.now()) } }])
  }

  private tell(sets: MediaSet[]): void {
    if (sets.length === 0) return
    const work = publishOwed(this.media, sets)
      .catch((error: unknown) => this.media.parts.log.warn({ err: error }, 'events of pictures stay owed'))
      .finally(() => this.telling.delete(work))
    this.telling.add(work)
  }

  private hasRoom(): boolean {
    let images = 0
    for (const set of this.held.keys()) images += 1 + set.images.length
    return images < MAX_HELD
  }

  private async followNudges(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      if (!this.hasRoom() || !this.media.parts.bus.isUp()) {
        await sleep(25)
        continue
      }
      try {
        const nudge = await this.media.nudges.next()
        if (this.stopping.signal.aborted) nudge?.refused()
        else if (nudge)
          await this.take(nudge.setIds).then(nudge.taken, (error: unknown) => {
            nudge.refused()
            throw error
          })
      } catch (error) {
        if (this.stopping.signal.aborted) return
        this.media.parts.log.warn({ err: error }, 'no nudges for now')
        await sleep(1_000)
      }
    }
  }

  /** Finds what is due and nobody was nudged for: retries, claims that ran out, nudges that were lost. */
  private async sweep(): Promise<void> {
    const { graceMs, sweepMs } = this.media.times
    while (!this.stopping.signal.aborted) {
      try {
        let due = this.hasRoom() ? await this.media.sets.findDue(graceMs, CLAIMED_AT_ONCE) : []
        while (due.length > 0 && !this.stopping.signal.aborted) {
          await this.take(due)
          due = this.hasRoom() ? await this.media.sets.findDue(graceMs, CLAIMED_AT_ONCE) : []
        }
      } catch (error) {
        this.media.parts.log.warn({ err: error }, 'pictures to fetch cannot be looked for')
      }
      await this.rest(sweepMs * (0.75 + Math.random() / 2))
    }
  }

  private async renew(): Promise<void> {
    const sets = [...this.held.keys()]
    if (sets.length === 0) return
    await this.media.sets.renew(sets, this.media.times.leaseMs).catch((error: unknown) => {
      this.media.parts.log.warn({ err: error }, 'claims on pictures not renewed')
    })
  }

  /** A pause that stopping ends. */
  private rest(ms: number): Promise<void> {
    return new Promise((done) => {
      const { signal } = this.stopping
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        done()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
    })
  }
}
