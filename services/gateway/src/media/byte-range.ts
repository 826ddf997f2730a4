/** Bytes `first` to `last` of a file, both included. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Parses a `Range` header with one range (RFC 9110, 14.1.2).
 * @returns undefined when the whole file is to be sent (no header, several ranges, another unit, malformed),
 *   `'unsatisfiable'` when the range is outside of the file
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [from, to] = [match[1] ?? '', match[2] ?? '']
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return undefined
  if (first >= size) return 'unsatisfiable'
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
