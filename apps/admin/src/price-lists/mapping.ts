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
  /** from 1, of a field with several columns: those after the first are read where it is blank */
  order?: number
}

type Read = Pick<Preview, 'columns' | 'found_by' | 'sample' | 'header'>

/** Whether the name of an offer is its article: one column, or the same ones, for both. */
export const isArticleName = ({ article, name }: Columns): boolean =>
  article !== undefined && name !== undefined && JSON.stringify([article].flat()) === JSON.stringify([name].flat())

/** Has the name read from the columns of the article, or found by its heading again. */
export function setArticleName(columns: Columns, preview: Read, isOn: boolean): Columns {
  const { name: _, ...rest } = columns
  return isOn ? withArticleName({ ...rest, ...nameColumns('article', fieldNames(preview, columns, 'article')) }) : rest
}

const withArticleName = (columns: Columns): Columns =>
  columns.article === undefined ? columns : { ...columns, name: columns.article }

/** A change of the article that the name follows. */
function followed(columns: Columns, change: (columns: Columns) => Columns): Columns {
  if (!isArticleName(columns)) return change(columns)
  const { name: _, ...rest } = columns
  const next = change(rest)
  return next.name === undefined ? withArticleName(next) : next
}

/**
 * The field of each column of the sample: by the draft where it names the column, else as the file was read, which
 * follows the draft after a moment.
 * @param preview its `columns` are 1-based
 * @param draft the columns that the draft sets
 */
export function columnUses(preview: Read, draft: Columns): ColumnUse[] {
  const { sample, header } = preview
  const width = Math.max(0, header?.cells.length ?? 0, ...sample.map(({ cells }) => cells.length))
  const uses = Array.from({ length: width }, (_, column): ColumnUse => ({ column, field: undefined, isFound: false }))
  // a column that the draft sets is no longer the field that its heading means
  for (const isFound of [true, false])
    for (const field of FIELDS) {
      if ((draft[field] === undefined) !== isFound || (field === 'name' && isArticleName(draft))) continue
      const columns = fieldColumns(preview, draft, field)
      columns.forEach((column, at) => {
        if (uses[column]) uses[column] = { column, field, isFound, ...(columns.length > 1 && { order: at + 1 }) }
      })
    }
  return uses
}

/** The columns of a field, 0-based, in the order in which they are read. */
export function fieldColumns(preview: Read, draft: Columns, field: MappedField): number[] {
  const set = draft[field]
  if (set !== undefined) return setColumns(set, preview.header) ?? readColumns(preview, field)
  return preview.found_by[field] === 'heading' ? readColumns(preview, field) : []
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
 * Chooses the field of a column. A field for which other columns were chosen is read from this one where they are
 * blank; one that was found by its heading is read from this one instead. What the column held before is read from its
 * other columns alone.
 * A column is named by its heading where that is the only one of its kind, else by its letter.
 * @param field undefined: the column holds nothing that the format names
 * @param isMoved the field is taken from the columns that hold it
 */
export function chooseColumn(columns: Columns, preview: Read, choice: ColumnChoice): Columns {
  return followed(columns, (others) => chooseField(others, preview, choice))
}

interface ColumnChoice {
  column: number
  field: MappedField | undefined
  isMoved?: boolean | undefined
}

function chooseField(columns: Columns, preview: Read, { column, field, isMoved = false }: ColumnChoice): Columns {
  let next = columns
  for (const held of FIELDS) {
    const names = fieldNames(preview, columns, held)
    if (held === field || columns[held] === undefined || !names.some((name) => name.column === column)) continue
    const { [held]: _, ...rest } = next
    next = {
      ...rest,
      ...nameColumns(
        held,
        names.filter((name) => name.column !== column),
      ),
    }
  }
  if (field === undefined) return next
  // what its heading alone proposed was nobody's choice
  const isReplaced = isMoved || columns[field] === undefined
  const others = isReplaced ? [] : fieldNames(preview, columns, field).filter((name) => name.column !== column)
  const own = { column, name: uniqueHeading(preview.header, column) ?? columnLetter(column) }
  return { ...next, ...nameColumns(field, [...others, own].slice(-MOST_COLUMNS)) }
}

/** Reads a field from its last column first. */
export function lastFirst(columns: Columns, preview: Read, field: MappedField): Columns {
  return followed(columns, (others) => {
    const names = fieldNames(preview, others, field)
    return { ...others, ...nameColumns(field, [...names.slice(-1), ...names.slice(0, -1)]) }
  })
}

/** Columns of a field that a format may name. */
const MOST_COLUMNS = 20

interface NamedColumn {
  column: number
  name: number | string
}

/** The columns of a field with the names that the draft has for them. */
function fieldNames(preview: Read, draft: Columns, field: MappedField): NamedColumn[] {
  const set = [draft[field]].flat()
  const found = fieldColumns(preview, draft, field)
  return found.map((column, at) => {
    const name = set.length === found.length ? set[at] : undefined
    const isName = typeof name === 'number' || typeof name === 'string'
    return { column, name: isName ? name : (uniqueHeading(preview.header, column) ?? columnLetter(column)) }
  })
}

function nameColumns(field: MappedField, names: readonly NamedColumn[]): Columns {
  const [first, ...others] = names.map(({ name }) => name)
  return first === undefined ? {} : { [field]: others.length === 0 ? first : [first, ...others] }
}

/** The row as a person finds it: in its sheet, when all sheets are read. */
export function rowName({ row, sheet, sheet_row }: { row: number; sheet?: string; sheet_row?: number }): string {
  return sheet === undefined ? String(row) : `${sheet}!${sheet_row}`
}

/** The heading of a column, where no other column has the same. */
export function uniqueHeading(header: Preview['header'], column: number): string | undefined {
  const cells = header?.cells.map(normalized) ?? []
  const own = cells[column]
  // a heading of one or two letters could be read as the letter of another column
  if (own === undefined || own.length < 3 || cells.filter((cell) => cell === own).length > 1) return undefined
  return header?.cells[column]?.trim()
}
