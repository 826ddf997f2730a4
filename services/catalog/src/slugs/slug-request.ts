import type { ItemNote } from '@partsbus/contracts/result-details'
import { isUsableSlug, makeSlug } from './slug.js'

/** The slug that the items of one key request. */
export interface SlugRequest {
  /** the slug without a suffix */
  text: string
  /**
   * sent by the ERP and therefore written on update too; a generated slug is written on creation only
   * (rules.md#slug-kept)
   */
  isSent: boolean
}

export interface SluggedItem {
  slug?: string | null | undefined
}

/**
 * The last slug that was sent wins. Without one the slug is generated from the first item's name, as it is when that
 * item is sent alone.
 * @param sourceText the text that a slug is generated from
 * @param fallback the slug of a text without letters and digits
 */
export function slugRequest<Item extends SluggedItem>(
  items: readonly Item[],
  sourceText: (item: Item) => string,
  fallback: string,
): SlugRequest {
  const sent = lastSentSlug(items)
  if (sent !== '') return { text: sent, isSent: true }
  const first = items[0]
  return { text: (first && makeSlug(sourceText(first))) || fallback, isSent: false }
}

/** The last usable slug that was sent; `''` when there is none. */
export function lastSentSlug(items: readonly SluggedItem[]): string {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const text = normalizedSlug(items[at]?.slug)
    if (text !== '') return text
  }
  return ''
}

/** The slug as sent, or normalized as a generated one; `''` when none was sent or no character of it is usable. */
function normalizedSlug(sent: string | null | undefined): string {
  if (sent === undefined || sent === null || sent.trim() === '') return ''
  return isUsableSlug(sent) ? sent : makeSlug(sent)
}

/**
 * The note of an item whose slug was not saved as it was sent (rules.md#slug-taken).
 * @param stored the slug that the item has now
 */
export function slugNote(sent: string | null | undefined, request: SlugRequest, stored: string): ItemNote | undefined {
  if (sent === undefined || sent === null || sent.trim() === '') return undefined
  const text = normalizedSlug(sent)
  if (text !== sent)
    return { code: 'slug_normalized', path: 'slug', message: `Slug "${sent}" is not valid; saved as "${stored}".` }
  // a later item of the same key sent another slug
  if (text !== request.text || stored === text) return undefined
  return { code: 'slug_taken', path: 'slug', message: `Slug "${sent}" is already taken; saved as "${stored}".` }
}
