import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { DetailCollector } from '@partsbus/contracts/result-details'
import type { Call } from '@partsbus/platform/bus/call'
import { currentScope } from '@partsbus/platform/bus/call-scope'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { hideCredentials } from './fetch/shown-url.js'
import { ItemMediaStore } from './item-media-store.js'
import { MediaNudges } from './media-nudges.js'
import { hasFailed, mediaSetId, type RequestedImage } from './media-set.js'
import { MediaSetStore, type RequestedSet } from './media-set-store.js'
import { SetSettler } from './set-settler.js'

/** The requested images of one item; an empty list clears them. */
export interface MediaRequest {
  item: 'product' | 'category'
  erp_id: string
  /** revision of the item after its batch: the images of the batch that wrote the item last stand */
  item_rev: number
  images: Array<{ url: string; sort_order?: number; is_main?: boolean }>
  /** the item of the batch that names the images */
  source?: object
  /** the batch found the fields of the item unchanged and has not written it */
  isUnwritten?: boolean
  /** another batch wrote the item so recently that it may still be about to request images */
  isContested?: boolean
}

/** What became of the images of a batch until its answer. */
export interface BatchImages {
  /** the URLs that have failed so far, by ERP id */
  failed: Map<string, string[]>
  /** ERP ids of the unwritten items whose images have changed, or may still change because not all are fetched */
  changed: Set<string>
}

/** Gets each image of a request that is not fetched yet, with its position. */
type OnUndone = (request: MediaRequest, image: RequestedImage, position: number) => void

/** Time that the reply needs within the caller's deadline. */
const REPLY_MARGIN_MS = 1_000

/** Records the requested images of items; workers fetch them (rules.md#images-after, rules.md#images-wait). */
@Injectable()
export class MediaRequests {
  constructor(
    private readonly sets: MediaSetStore,
    private readonly counters: CounterStore,
    private readonly nudges: MediaNudges,
    private readonly settler: SetSettler,
    private readonly items: ItemMediaStore,
  ) {}

  /** The time by which batches are ordered that leave an item as it was. */
  now(): Promise<Date> {
    return this.sets.clock.now()
  }

  /**
   * Requests the images of a saved batch and waits for them as long as the settings and the caller allow.
   * @param field of the items that names images
   * @param receivedAt from {@link now}, when the batch was received
   */
  async requestForBatch(
    call: Call<unknown>,
    requests: readonly MediaRequest[],
    field: 'images' | 'image_url',
    receivedAt: Date,
  ): Promise<BatchImages> {
    const failed = new Map<string, string[]>()
    const changed = new Set<string>()
    if (requests.length === 0) return { failed, changed }
    const { media_wait_ms, media_allowed_hosts: allowedHosts } = call.settings
    const waitMs = Math.max(0, Math.min(media_wait_ms, call.timeLeft() - REPLY_MARGIN_MS))
    const { details } = call
    const onUndone: OnUndone | undefined = details && ((...image) => addImageNote(details, field, ...image))
    const onChanged = (erpId: string) => changed.add(erpId)
    for (const { erp_id, url } of await this.request(requests, {
      receivedAt,
      allowedHosts,
      waitMs,
      onUndone,
      onChanged,
    }))
      failed.set(erp_id, [...(failed.get(erp_id) ?? []), url])
    return { failed, changed }
  }

  /**
   * The items must be written already. The images are fetched even if this process dies; of two
   * requests for one item the later one wins (rules.md#images-latest).
   * @returns the images that are known to have failed so far, in the order of the requests
   */
  async request(
    requests: readonly MediaRequest[],
    options: {
      receivedAt: Date
      allowedHosts: string[]
      waitMs: number
      onUndone?: OnUndone | undefined
      /** gets the ERP ids of {@link BatchImages.changed} */
      onChanged?: ((erpId: string) => void) | undefined
    },
  ): Promise<Array<{ erp_id: string; url: string }>> {
    const byId = new Map(requests.map((request) => [mediaSetId(request.item, request.erp_id), request]))
    const effective = await this.withoutIdleClears(byId, options.receivedAt)
    if (effective.size === 0) return []
    const id = randomUUID()
    const setIds = [...effective.keys()]
    await this.sets.request(id, await this.toSets(effective, options.receivedAt), options.allowedHosts)
    this.nudges.send(setIds)
    currentScope()?.endTurn?.()
    await this.settler.wait(setIds, id, options.waitMs)
    if (options.onChanged) for (const erpId of await this.findChanged(effective, id)) options.onChanged(erpId)
    return this.findFailed(effective, id, options.onUndone)
  }

  /**
   * Most items that are sent with `images: []` never had any; nothing is requested for them. Of contested ones it is
   * noted that they have none, so that an earlier batch that requests its images only now is too late.
   */
  private async withoutIdleClears(
    requests: Map<string, MediaRequest>,
    received_at: Date,
  ): Promise<Map<string, MediaRequest>> {
    const clears = [...requests].filter(([, { images }]) => images.length === 0)
    if (clears.length === 0) return requests
    const contested = clears.filter(([, { isContested }]) => isContested)
    const others = clears.filter(([, { isContested }]) => !isContested)
    const [filled, refused] = await Promise.all([
      this.sets.findFilled(others.map(([id]) => id)),
      this.sets.noteEmpty(
        contested.map(([_id, { item, erp_id, item_rev }]) => ({ _id, item, erp_id, item_rev, received_at })),
      ),
    ])
    return new Map([...requests].filter(([id, { images }]) => images.length > 0 || filled.has(id) || refused.has(id)))
  }

  private async toSets(requests: Map<string, MediaRequest>, received_at: Date): Promise<RequestedSet[]> {
    const count = [...requests.values()].reduce((sum, { images }) => sum + images.length, 0)
    let next = count === 0 ? 0 : await this.counters.allocate('media_jobs', count)
    return [...requests].map(([_id, { item, erp_id, item_rev, images }]) => ({
      _id,
      item,
      erp_id,
      item_rev,
      received_at,
      images: images.map((image): RequestedImage => ({
        id: next++,
        ...image,
        status: 'pending',
        attempts: 0,
        last_error: null,
        media_id: null,
      })),
    }))
  }

  /** New media give an item another revision, and a set is settled when its item has them. */
  private async findChanged(requests: Map<string, MediaRequest>, request: string): Promise<string[]> {
    const unwritten = [...requests].filter(([, { isUnwritten }]) => isUnwritten)
    if (unwritten.length === 0) return []
    const done = await this.sets.findDone(
      unwritten.map(([id]) => id),
      request,
    )
    const revs = new Map<string, number>()
    for (const item of ['product', 'category'] as const) {
      const keys = unwritten.filter(([id, one]) => one.item === item && done.has(id)).map(([, { erp_id }]) => erp_id)
      for (const [key, rev] of await this.items.findRevisions(item, keys)) revs.set(mediaSetId(item, key), rev)
    }
    return unwritten.filter(([id, { item_rev }]) => revs.get(id) !== item_rev).map(([, { erp_id }]) => erp_id)
  }

  private async findFailed(
    requests: Map<string, MediaRequest>,
    request: string,
    onUndone?: OnUndone,
  ): Promise<Array<{ erp_id: string; url: string }>> {
    const ids = [...requests].filter(([, { images }]) => images.length > 0).map(([id]) => id)
    if (ids.length === 0) return []
    const undone = new Map((await this.sets.findUndone(ids, request)).map((set) => [set._id, set.images]))
    if (onUndone) {
      for (const [id, one] of requests) {
        for (const [position, image] of (undone.get(id) ?? []).entries())
          if (image.status !== 'done') onUndone(one, image, position)
      }
    }
    return [...requests].flatMap(([id, { erp_id }]) =>
      (undone.get(id) ?? []).filter(hasFailed).map(({ url }) => ({ erp_id, url: hideCredentials(url) })),
    )
  }
}

function addImageNote(
  details: DetailCollector,
  field: 'images' | 'image_url',
  { source, erp_id }: MediaRequest,
  image: RequestedImage,
  position: number,
): void {
  if (image.status === 'pending') details.mediaPending += 1
  const url = hideCredentials(image.url)
  const isTried = hasFailed(image)
  const code = image.status === 'failed' ? 'image_failed' : isTried ? 'image_retrying' : 'image_pending'
  details.addFor(source ?? {}, erp_id, {
    code,
    path: field === 'images' ? `images.${position}.url` : field,
    message: isTried ? `Image could not be downloaded: ${url}` : `Image is not downloaded yet: ${url}`,
    reason: image.last_error,
  })
}
