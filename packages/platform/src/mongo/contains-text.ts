/** A filter of texts that contain this one, in upper or lower case. What is asked for never becomes a pattern. */
export function containsText(text: string): { $regex: string; $options: string } {
  return { $regex: escapePattern(text), $options: 'i' }
}

/** A text as a pattern that matches nothing but itself. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** The text to search for; undefined for a blank parameter. */
export function searchedText(q: string | undefined): string | undefined {
  const text = q?.trim()
  return text === undefined || text === '' ? undefined : text
}
