import anyAscii from 'any-ascii'

/** Code points, the suffix included (rules.md#slug-generated). */
export const MAX_SLUG = 191

/** Letters of any script with their marks, digits and `-_.~` (rules.md#slug-sent). */
const usable = /^[\p{L}\p{M}\p{Nd}\-_.~]+$/u

/** Whether a sent slug is used as it is. `.` and `..` would be segments of a path. */
export function isUsableSlug(text: string): boolean {
  return usable.test(text) && text !== '.' && text !== '..'
}

/** Transliterated, lower case, separated by `-`; `''` when the text has no letters and digits. */
export function makeSlug(text: string): string {
  const ascii = isAscii(text) ? text : anyAscii(text.normalize('NFKC'))
  const slug = ascii
    .toLowerCase()
    .replace(/['"`]+/g, '')
    .replace(/[^a-z0-9]+/g, '-')
  return trimDashes(slug.slice(slug.startsWith('-') ? 1 : 0).slice(0, MAX_SLUG))
}

/** `door` and 2 give `door-2`; the text is cut so that the slug stays within the limit. */
export function suffixedSlug(text: string, number: number): string {
  const suffix = `-${number}`
  const points = text.length + suffix.length <= MAX_SLUG ? undefined : [...text]
  const cut =
    points && points.length + suffix.length > MAX_SLUG ? points.slice(0, MAX_SLUG - suffix.length).join('') : text
  return cut + suffix
}

/** Whether a collision may have produced the slug: `door-2` of `door`. */
export function isSuffixedSlug(slug: string, text: string): boolean {
  const number = Number(/-([1-9]\d{0,14})$/.exec(slug)?.[1] ?? 0)
  return number >= 2 && suffixedSlug(text, number) === slug
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false
  return true
}

function trimDashes(slug: string): string {
  return slug.endsWith('-') ? slug.slice(0, -1) : slug
}
