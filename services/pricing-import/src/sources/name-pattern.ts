/** Whether a text matches a pattern with `*` as wildcard, ignoring case. A blank pattern matches everything. */
export function matchesPattern(text: string, pattern: string): boolean {
  if (pattern.trim() === '') return true
  const [first = '', ...parts] = pattern.trim().toLowerCase().split('*')
  const subject = text.trim().toLowerCase()
  if (parts.length === 0) return subject === first
  if (!subject.startsWith(first)) return false
  const last = parts.pop() ?? ''
  let position = first.length
  for (const part of parts) {
    const found = subject.indexOf(part, position)
    if (found === -1) return false
    position = found + part.length
  }
  return subject.length - last.length >= position && subject.endsWith(last)
}
