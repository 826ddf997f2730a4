/* Without the schemas: processes that live for one file load it too. */

/** A code point is at most two UTF-16 units, so only strings between the limit and its double need counting. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  if (text.length > limit * 2) return true
  let count = 0
  for (const _ of text) if (++count > limit) return true
  return false
}
