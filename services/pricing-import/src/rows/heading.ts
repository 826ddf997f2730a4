import { type Field, fields, misleadingWords, tellingWords, usualHeadings } from './field-headings.js'

const MAX_HEADING = 80
const CYRILLIC_TWINS = new Map([...'abcehkmoptxy'].map((latin, index) => [latin, 'авсенкмортху'[index] ?? latin]))

/** Lower case, `ё` as `е`, letters and digits only, single spaces; see `withoutTwins` for Latin letters. */
export function normalHeading(cell: string): string {
  if (cell.length > MAX_HEADING) return ''
  const words = cell
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll('\u00ad', '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return /[а-я]/.test(words) && /[a-z]/.test(words) ? words.split(' ').map(withoutTwins).join(' ') : words
}

/** Replaces the Latin letters in a word like `apтикул`. */
function withoutTwins(word: string): string {
  return /[а-я]/.test(word) ? word.replace(/[a-z]/g, (letter) => CYRILLIC_TWINS.get(letter) ?? letter) : word
}

/**
 * Ways to find a column, the most reliable first. Only the first two identify a header row: prose may contain the
 * words, too.
 */
const ways = ['is', 'begins', 'contains'] as const

/**
 * Guesses the column of each field from a header row. A column is used for one field only.
 * @param row normalised headings
 * @param wanted the fields to look for
 * @param taken columns that are already assigned
 */
export function guessColumns(
  row: string[],
  wanted: readonly Field[],
  taken: ReadonlySet<number> = new Set(),
): Map<Field, number> {
  return guess(row, wanted, taken, ways)
}

/** The number of fields with a usual heading in a row. */
export function countHeadings(row: string[]): number {
  return guess(row, fields, new Set(), ['is', 'begins']).size
}

function guess(
  row: string[],
  wanted: readonly Field[],
  taken: ReadonlySet<number>,
  tried: ReadonlyArray<(typeof ways)[number]>,
): Map<Field, number> {
  const found = new Map<Field, number>()
  const used = new Set(taken)
  for (const way of tried) {
    for (const field of wanted) {
      if (found.has(field)) continue
      const column =
        way === 'contains'
          ? row.findIndex(
              (cell, index) => !used.has(index) && tellingWords[field].test(cell) && !misleadingWords[field].test(cell),
            )
          : firstMatch(row, field, way === 'is', used)
      if (column === -1) continue
      found.set(field, column)
      used.add(column)
    }
  }
  return found
}

function firstMatch(row: string[], field: Field, isExact: boolean, used: ReadonlySet<number>): number {
  for (const candidate of usualHeadings[field]) {
    if (candidate.endsWith('*') === isExact) continue
    const column = isExact
      ? row.findIndex((cell, index) => !used.has(index) && cell === candidate)
      : row.findIndex(
          (cell, index) =>
            !used.has(index) && cell.startsWith(candidate.slice(0, -1)) && !misleadingWords[field].test(cell),
        )
    if (column !== -1) return column
  }
  return -1
}

/** The columns whose heading means the field in any of the ways. */
export function listCandidates(headings: readonly string[], field: Field): number[] {
  return headings.flatMap((heading, column) => {
    const normal = normalHeading(heading)
    if (normal === '') return []
    const isUsual = usualHeadings[field].some((usual) => usual === normal)
    if (isUsual) return [column]
    if (misleadingWords[field].test(normal)) return []
    const begins = usualHeadings[field].some((usual) => usual.endsWith('*') && normal.startsWith(usual.slice(0, -1)))
    return begins || tellingWords[field].test(normal) ? [column] : []
  })
}
