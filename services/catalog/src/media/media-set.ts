import type { ItemMedia } from '@partsbus/contracts/media'

/*
 * What pictures one item shall have, and how far we are with it; one document per item, replaced by each request.
 *
 * asked (`settled` false, due) → claimed (`due_at` is the end of the lease) → settled (every image had its first
 * decided attempt, the item has its pictures) → due again while an image waits for a retry or an event is owed → at rest.
 * `rev` is raised by every request and every claim: it fences the writes of whoever worked on it before, here and
 * in the item's `media_rev`, so that the latest request's pictures stand however long an earlier one takes.
 */
export interface MediaSet {
  /** `product:<erp_id>` or `category:<erp_id>` */
  _id: string
  item: MediaItem
  erp_id: string
  rev: number
  /** id of the call that asked; another one means that the wish was replaced */
  request: string
  images: WantedImage[]
  /** whether an image is not done; kept for the index, so that sets at rest cost it nothing */
  undone: boolean
  /** the setting `media_allowed_hosts` as the call carried it */
  allowed_hosts: string[]
  settled: boolean
  /** events that happened and are not known to have been published */
  owed: OwedEvent[]
  /** when its pending images are to be tried again, once it is settled */
  retry_at: Date
  /** from when on somebody may take it, by the database's clock */
  due_at: Date
  /** the claim that holds it or held it last */
  owner: string
  updated_at: Date
}

export type MediaItem = 'product' | 'category'

export interface WantedImage {
  /** id of the download, as the admin API knows it */
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

export type OwedEvent =
  | { id: string; at: string; kind: 'attached'; media_ids: number[] }
  | { id: string; at: string; kind: 'failed'; urls: string[] }

/** A stored picture as the item's document holds it. */
export interface AttachedMedia extends Pick<ItemMedia, 'id' | 'file_name' | 'mime_type' | 'size' | 'width' | 'height'> {
  sort_order?: number
  is_main?: boolean
}

/** `due_at` of a set at rest. */
export const NEVER = new Date('9999-12-31T00:00:00Z')

/** `owner` of a wish that nobody claimed yet. */
export const UNCLAIMED = ''

export function setIdOf(item: MediaItem, erpId: string): string {
  return `${item}:${erpId}`
}

/** An image that failed once counts as failed for the answer, also when it is tried again later. */
export function hasFailed(image: WantedImage): boolean {
  return image.status === 'failed' || (image.status === 'pending' && image.attempts > 0)
}

export function isUndone(images: WantedImage[]): boolean {
  return images.some((image) => image.status !== 'done')
}

/** How long a set rests before its images are tried again; undefined when nothing waits for it. */
export function retryDelay(images: WantedImage[], backoffMs: number[]): number | undefined {
  const waiting = images.filter((image) => image.status === 'pending')
  if (waiting.length === 0) return undefined
  return Math.min(...waiting.map((image) => backoffMs[image.attempts - 1] ?? backoffMs.at(-1) ?? 0))
}

/**
 * The pictures an item gets when its set is decided: the successful ones in order (erp.md#products-9).
 * @returns undefined when images were named and none could be had: the old ones stay
 */
export function attachedMedia(
  images: WantedImage[],
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
