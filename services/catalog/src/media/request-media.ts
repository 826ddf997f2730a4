import { randomUUID } from 'node:crypto'
import type { MediaPart } from './media-part.js'
import { hasFailed, setIdOf, type WantedImage } from './media-set.js'
import { waitForSets } from './wait-for-sets.js'

/** The pictures one item shall have from now on; an empty list clears them. */
export interface MediaWish {
  item: 'product' | 'category'
  erp_id: string
  images: Array<{ url: string; sort_order?: number; is_main?: boolean }>
}

/**
 * Records what pictures the items of a batch shall have, and waits a while for them to be fetched.
 * The items must be written already. What was recorded is fetched in the end, whatever happens to this process;
 * of two wishes for one item the later one stands (rules.md#images-latest).
 * @param options.allowedHosts the setting `media_allowed_hosts` as the call carried it
 * @param options.waitMs how long to wait for the outcome, at most
 * @returns the pictures that are known to have failed so far, in the order of the wishes
 */
export async function requestMedia(
  media: MediaPart,
  wishes: MediaWish[],
  options: { allowedHosts: string[]; waitMs: number },
): Promise<Array<{ erp_id: string; url: string }>> {
  const wanted = await withoutIdleClears(media, new Map(wishes.map((wish) => [setIdOf(wish.item, wish.erp_id), wish])))
  if (wanted.size === 0) return []
  const request = randomUUID()
  const ids = [...wanted.keys()]
  await media.sets.ask(request, await withImages(media, wanted), options.allowedHosts)
  media.nudges.send(ids)
  await waitForSets(media, ids, request, options.waitMs)
  return failuresOf(media, wanted, request)
}

/** Most items of an ERP that sends `images: []` never had any; nothing is written for them. */
async function withoutIdleClears(media: MediaPart, wanted: Map<string, MediaWish>): Promise<Map<string, MediaWish>> {
  const clears = [...wanted].filter(([, wish]) => wish.images.length === 0).map(([id]) => id)
  if (clears.length === 0) return wanted
  const filled = await media.sets.findFilled(clears)
  return new Map([...wanted].filter(([id, wish]) => wish.images.length > 0 || filled.has(id)))
}

async function withImages(
  media: MediaPart,
  wanted: Map<string, MediaWish>,
): Promise<Parameters<MediaPart['sets']['ask']>[1]> {
  const count = [...wanted.values()].reduce((sum, wish) => sum + wish.images.length, 0)
  let next = count === 0 ? 0 : await media.counters.allocate('media_jobs', count)
  return [...wanted].map(([_id, { item, erp_id, images }]) => ({
    _id,
    item,
    erp_id,
    images: images.map((image): WantedImage => ({
      id: next++,
      ...image,
      status: 'pending',
      attempts: 0,
      last_error: null,
      media_id: null,
    })),
  }))
}

async function failuresOf(
  media: MediaPart,
  wanted: Map<string, MediaWish>,
  request: string,
): Promise<Array<{ erp_id: string; url: string }>> {
  const ids = [...wanted].filter(([, wish]) => wish.images.length > 0).map(([id]) => id)
  if (ids.length === 0) return []
  const undone = new Map((await media.sets.findUndone(ids, request)).map((set) => [set._id, set.images]))
  return [...wanted].flatMap(([id, { erp_id }]) =>
    (undone.get(id) ?? []).filter(hasFailed).map(({ url }) => ({ erp_id, url })),
  )
}
