import { RowSplitter } from './split-rows.js'

export type Delimiter = ';' | '\t' | ',' | '|'

const candidates: Delimiter[] = [';', '\t', ',', '|']
const SAMPLE_ROWS = 500
/** A number with a decimal comma between other delimiters: `;1 234,50 руб;`. Its comma does not separate cells. */
const boundedDecimal = /(?<=[;\t|]"?)(?:[^\S\t\r\n]|[\d'])*,\d[^;\t|,\r\n"]*(?="?(?:[;\t|\r\n]|$))/g

export interface FoundDelimiter {
  delimiter: Delimiter
  /** number of cells of most rows */
  width: number
}

/**
 * Chooses the delimiter by consistency (rules.md#reading): the one that splits most rows into the same number of cells,
 * at least two. In a tie, the one with more cells, then `;` tab `,` `|`.
 * @param sample the beginning of the text
 * @param isWhole whether the sample is the whole text
 */
export function findDelimiter(sample: string, isWhole: boolean, asked: Delimiter | 'auto' = 'auto'): FoundDelimiter {
  const scores = (asked === 'auto' ? candidates : [asked]).map((delimiter) => ({
    delimiter,
    ...consistency(delimiter === ',' ? sample.replace(boundedDecimal, '0') : sample, isWhole, delimiter),
  }))
  const [best] = scores.sort((a, b) => b.score - a.score || b.width - a.width)
  return best ? { delimiter: best.delimiter, width: best.width } : { delimiter: ';', width: 1 }
}

function consistency(sample: string, isWhole: boolean, delimiter: Delimiter): { score: number; width: number } {
  const splitter = new RowSplitter(delimiter, 0, { maxRows: Infinity, maxColumns: 1_000, maxRowChars: Infinity })
  const rows = splitter
    .push(sample, isWhole)
    .rows.slice(0, SAMPLE_ROWS)
    .filter((row) => row.some((cell) => cell.trim() !== ''))
  const counts = new Map<number, number>()
  for (const row of rows) if (row.length > 1) counts.set(row.length, (counts.get(row.length) ?? 0) + 1)
  let width = 1
  let most = 0
  for (const [cells, count] of counts)
    if (count > most || (count === most && cells > width)) [width, most] = [cells, count]
  return { score: rows.length === 0 ? 0 : Math.round((most / rows.length) * 20), width }
}
