import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { columnLetter } from './column-letter.js'

export const FIELDS = ['brand', 'article', 'name', 'quantity', 'price', 'delivery_days'] as const
export type MappedField = (typeof FIELDS)[number]
export type Columns = NonNullable<PriceListFormat['columns']>

export interface ColumnUse {
  /** 0-based */
  column: number
  field: MappedField | undefined
  /** by the headings of the file, not by the format */
  isFound: boolean
}

/**
 * The field of each column of the sample: by the draft where it names the column, else as the file was read, which
 * follows the draft after a moment.
 * @param preview its `columns` are 1-based
 * @param draft the columns that the draft sets
 */
export function columnUses(
  preview: Pick<Preview, 'columns' | 'found_by' | 'sample' | 'header'>,
  draft: Columns,
): ColumnUse[] {
  const { found_by, sample, header } = preview
  const width = Math.max(0, header?.cells.length ?? 0, ...sample.map(({ cells }) => cells.length))
  const uses = Array.from({ length: width }, (_, column): ColumnUse => ({ column, field: undefined, isFound: false }))
  const place = (field: MappedField, columns: number[], isFound: boolean) => {
    for (const column of columns) if (uses[column]) uses[column] = { column, field, isFound }
  }
  // a column that the draft sets is no longer the field that its heading means
  for (const field of FIELDS)
    if (draft[field] === undefined && found_by[field] === 'heading') place(field, readColumns(preview, field), true)
  for (const field of FIELDS) {
    const set = draft[field]
    if (set !== undefined) place(field, setColumns(set, header) ?? readColumns(preview, field), false)
  }
  return uses
}

const readColumns = ({ columns }: Pick<Preview, 'columns'>, field: MappedField): number[] =>
  [columns[field]].flat().flatMap((column) => (typeof column === 'number' ? [column - 1] : []))

/** Undefined where only the reader of the file knows: a heading that it compares in its own way. */
function setColumns(set: NonNullable<Columns[MappedField]>, header: Preview['header']): number[] | undefined {
  if (typeof set === 'object' && !Array.isArray(set)) return []
  const columns = [set].flat().map((name) => {
    if (typeof name === 'number') return name - 1
    const heading = header?.cells.findIndex((cell) => normalized(cell) === normalized(name)) ?? -1
    return heading >= 0 ? heading : columnOfLetter(name)
  })
  return columns.includes(-1) ? undefined : columns
}

/** -1: it is no letter. */
const columnOfLetter = (name: string): number =>
  /^[A-Z]{1,2}$/i.test(name)
    ? [...name.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
    : -1

const normalized = (heading: string): string => heading.trim().toLocaleLowerCase()

/**
 * A field is held by one column: choosing it moves it there, and what the column held before is free again.
 * A column is named by its heading where that is the only one of its kind, else by its letter.
 * @param field undefined: the column holds nothing that the format names
 */
export function chooseColumn(
  columns: Columns,
  uses: readonly ColumnUse[],
  { column, field, heading }: { column: number; field: MappedField | undefined; heading: string | undefined },
): Columns {
  const before = uses.find((use) => use.column === column)?.field
  const next: Columns = { ...columns }
  if (before !== undefined && before !== field) delete next[before]
  if (field !== undefined) next[field] = heading ?? columnLetter(column)
  return next
}

/** The heading of a column, where no other column has the same. */
export function uniqueHeading(header: Preview['header'], column: number): string | undefined {
  const cells = header?.cells.map(normalized) ?? []
  const own = cells[column]
  // a heading of one or two letters could be read as the letter of another column
  if (own === undefined || own.length < 3 || cells.filter((cell) => cell === own).length > 1) return undefined
  return header?.cells[column]?.trim()
}
