import { AppError, texts } from '@partsbus/contracts/errors'
import type { MediaPart } from './media-part.js'

/** The pictures one item shall have from now on; an empty list clears them. */
export interface MediaWish {
  item: 'product' | 'category'
  erp_id: string
  images: Array<{ url: string; sort_order?: number; is_main?: boolean }>
}

/**
 * Records what pictures the items of a batch shall have, and waits a while for them to be fetched.
 * What was recorded is fetched in the end, whatever happens to this process.
 * @param options.allowedHosts the setting `media_allowed_hosts` as the call carried it
 * @param options.waitMs how long to wait for the outcome, at most
 * @returns the pictures that are known to have failed so far, in the order of the wishes
 */
export async function requestMedia(
  media: MediaPart,
  wishes: MediaWish[],
  options: { allowedHosts: string[]; waitMs: number },
): Promise<Array<{ erp_id: string; url: string }>> {
  if (wishes.length === 0) return []
  media.parts.log.error({ waitMs: options.waitMs }, 'pictures cannot be fetched')
  throw new AppError('UNAVAILABLE', texts.unavailable)
}
