import type { ItemMedia } from '@partsbus/contracts/catalog/media'
import type { CallScope } from '@partsbus/platform/bus/call-scope'
import type { RequestOrigin } from '@partsbus/platform/process/spans'

/*
 * The images that one item shall have, and their state; one document for each item, replaced by each request.
 *
 * requested (`settled` false, due) → claimed (`due_at` is the end of the lease) → settled (every image had its
 * first attempt, the item has its media) → due again while an image waits for a retry or an event is not published
 * → finished.
 * `rev` is raised by every request and every claim: it fences the writes of earlier workers, here and in the item's
 * `media_rev`, so that the images of the latest request stand however long an earlier one takes.
 */
export interface MediaSet {
  /** `product:<erp_id>` or `category:<erp_id>` */
  _id: string
  item: MediaItem
  erp_id: string
  rev: number
  /** revision of the item after the batch of the request; requests of earlier batches are ignored */
  item_rev?: number
  /** when that batch was received, by the database's clock: decides between batches that left the item as it was */
  received_at?: Date
  /** id of the request; another one means that it was replaced */
  request: string
  /** `x-request-id` of the batch, or of the administrator who had failed images tried again; absent in older sets */
  request_id?: string
  /** of that request; absent in older sets */
  request_origin?: RequestOrigin
  images: RequestedImage[]
  /** whether an image is pending; stored for partial indexes, which omit finished sets */
  undone: boolean
  /** the setting `media_allowed_hosts` of the request */
  allowed_hosts: string[]
  /** of the images, as of {@link hostOf}; absent in older sets */
  hosts?: string[]
  settled: boolean
  /** unpublished events; the field keeps its name because stored sets have it */
  owed: PendingEvent[]
  /** when the pending images of a settled set are tried again */
  retry_at: Date
  /** when a worker may claim the set, by the database's clock */
  due_at: Date
  /** the current or latest claim */
  owner: string
  updated_at: Date
}

export type MediaItem = 'product' | 'category'

export interface RequestedImage {
  /** id of the media job */
  id: number
  url: string
  sort_order?: number
  is_main?: boolean
  /** pending with attempts above 0: failed so far, waits for a retry */
  status: 'pending' | 'done' | 'failed'
  attempts: number
  last_error: string | null
  media_id: number | null
}

export type PendingEvent =
  | { id: string; at: string; kind: 'attached'; media_ids: number[] }
  | { id: string; at: string; kind: 'failed'; urls: string[] }

/** Stored media as in the document of the item. */
export interface AttachedMedia extends Pick<ItemMedia, 'id' | 'file_name' | 'mime_type' | 'size' | 'width' | 'height'> {
  sort_order?: number
  is_main?: boolean
}

/** `due_at` of a finished set. */
export const NEVER = new Date('9999-12-31T00:00:00Z')

/** `owner` of a request that no worker has claimed yet. */
export const UNCLAIMED = ''

export function mediaSetId(item: MediaItem, erpId: string): string {
  return `${item}:${erpId}`
}

/** Host and port of an image, `''` of what is no URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

/** The request that the images are fetched for; undefined in older sets. */
export function requestScope({ request_id: requestId, request_origin }: MediaSet): CallScope | undefined {
  return requestId === undefined ? undefined : { requestId, ...request_origin }
}

/** An image that failed once is reported as failed, even if it is tried again later. */
export function hasFailed(image: RequestedImage): boolean {
  return image.status === 'failed' || (image.status === 'pending' && image.attempts > 0)
}

export function isUndone(images: RequestedImage[]): boolean {
  return images.some((image) => image.status !== 'done')
}

/** Pause before the images of a set are tried again; undefined when none of them is pending. */
function retryDelay(images: RequestedImage[], backoffMs: number[]): number | undefined {
  const pending = images.filter((image) => image.status === 'pending')
  if (pending.length === 0) return undefined
  return Math.min(...pending.map((image) => backoffMs[image.attempts - 1] ?? backoffMs.at(-1) ?? 0))
}

/** Pause before an event is published again. */
export const PUBLISH_AGAIN_MS = 10_000

/** When a settled set needs a worker again: to retry images, or to publish its events. */
export function nextRound(
  set: MediaSet,
  now: number,
  backoffMs: number[],
): Pick<MediaSet, 'owed' | 'retry_at' | 'due_at'> {
  const delay = retryDelay(set.images, backoffMs)
  // a claim that was made to publish an event does not bring a retry forward
  const isScheduled = set.retry_at.getTime() > now && set.retry_at < NEVER
  const retry_at = delay === undefined ? NEVER : isScheduled ? set.retry_at : new Date(now + delay)
  const due = set.owed.length > 0 ? Math.min(now + PUBLISH_AGAIN_MS, retry_at.getTime()) : retry_at.getTime()
  return { owed: set.owed, retry_at, due_at: new Date(due) }
}

/**
 * The media of an item once its set is settled: the successful images in order (erp.md#products-9).
 * @returns undefined when images were requested and none could be fetched: the old ones stay (rules.md#images-stay)
 */
export function attachedMedia(
  images: RequestedImage[],
  stored: (id: number) => Omit<AttachedMedia, 'sort_order' | 'is_main'> | undefined,
): AttachedMedia[] | undefined {
  const attached = images.flatMap((image) => {
    const media = image.media_id === null ? undefined : stored(image.media_id)
    if (!media) return []
    return [
      {
        ...media,
        ...(image.sort_order !== undefined && { sort_order: image.sort_order }),
        ...(image.is_main !== undefined && { is_main: image.is_main }),
      },
    ]
  })
  return attached.length === 0 && images.length > 0 ? undefined : attached
}

const fields = ['id', 'file_name', 'mime_type', 'size', 'width', 'height', 'sort_order', 'is_main'] as const

export function isSameMedia(a: AttachedMedia[], b: AttachedMedia[]): boolean {
  return a.length === b.length && a.every((media, at) => fields.every((field) => media[field] === b[at]?.[field]))
}
