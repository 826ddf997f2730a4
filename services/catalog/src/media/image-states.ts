import type { ImageStates } from '@partsbus/contracts/catalog/media'
import type { ItemDocument } from '../items/item-document.js'
import { hideCredentials } from './fetch/shown-url.js'
import { hasFailed, type MediaItem, mediaSetId, type RequestedImage } from './media-set.js'
import type { MediaSetStore } from './media-set-store.js'

/** Images with a reason in one reply, so that it always fits one message of the bus. */
const MAX_PROBLEMS = 1_000

/** The images that were sent last for each of some items (erp.md#status-3). */
export async function findImageStates(
  sets: MediaSetStore,
  item: MediaItem,
  keys: readonly string[],
): Promise<(doc: Pick<ItemDocument, '_id' | 'media'>) => ImageStates> {
  const states = new Map<string, ImageStates>()
  let left = MAX_PROBLEMS
  for await (const { _id, images } of sets.readImages(keys.map((key) => mediaSetId(item, key)))) {
    const state = toState(images, left)
    left -= state.problems.length
    states.set(_id, state)
  }
  return ({ _id, media }) =>
    states.get(mediaSetId(item, _id)) ?? { done: media.length, pending: 0, failed: 0, problems: [] }
}

function toState(images: RequestedImage[], maxProblems: number): ImageStates {
  const count = (status: RequestedImage['status']) => images.filter((image) => image.status === status).length
  return {
    done: count('done'),
    pending: count('pending'),
    failed: count('failed'),
    problems: images
      .filter(hasFailed)
      .slice(0, maxProblems)
      .map((image) => ({
        url: hideCredentials(image.url),
        attempts: image.attempts,
        reason: image.last_error ?? '',
        is_retried: image.status === 'pending',
      })),
  }
}
