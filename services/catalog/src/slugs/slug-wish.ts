import { isUsableSlug, makeSlug } from './slug.js'

/** Which slug the items of one key ask for. */
export interface SlugWish {
  /** the slug without suffix */
  text: string
  /** sent by the ERP, so that it is written on update too; a generated one is for creation alone */
  sent: boolean
}

interface Named {
  slug?: string | null | undefined
}

/**
 * The last slug sent decides; without one, the first item's name does, as it does when that item is sent alone.
 * @param nameOf what a slug is generated from
 * @param fallback the slug of names without letters or digits
 */
export function slugWish<Item extends Named>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  fallback: string,
): SlugWish {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const sent = sentSlug(items[at]?.slug)
    if (sent !== '') return { text: sent, sent: true }
  }
  const first = items[0]
  return { text: (first && makeSlug(nameOf(first))) || fallback, sent: false }
}

/** A sent slug as it can be used: itself, or normalised as a generated one is; `''` when none was sent, or nothing of it can be used. */
export function sentSlug(slug: string | null | undefined): string {
  if (slug === undefined || slug === null || slug.trim() === '') return ''
  return isUsableSlug(slug) ? slug : makeSlug(slug)
}

/**
 * The error entry an item gets for the slug it sent, if any.
 * @param stored the slug the item has now
 */
export function slugEntry(slug: string | null | undefined, wish: SlugWish, stored: string): string | undefined {
  if (slug === undefined || slug === null || slug.trim() === '') return undefined
  const usable = sentSlug(slug)
  if (usable !== slug) return `Slug "${slug}" is not valid; saved as "${stored}".`
  if (usable !== wish.text || stored === usable) return undefined
  return `Slug "${slug}" is already taken; saved as "${stored}".`
}
