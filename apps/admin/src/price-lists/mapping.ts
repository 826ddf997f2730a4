import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'

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

/** `A`, `B` … `Z`, `AA`. */
export function columnLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnLetter(Math.floor(column / 26) - 1) + last
}

/** What each column of the sample holds. @param preview its `columns` are 1-based */
export function columnUses({
  columns,
  found_by,
  sample,
  header,
}: Pick<Preview, 'columns' | 'found_by' | 'sample' | 'header'>): ColumnUse[] {
  const width = Math.max(0, header?.cells.length ?? 0, ...sample.map(({ cells }) => cells.length))
  const held = new Map<number, MappedField>()
  for (const field of FIELDS) {
    const at = columns[field]
    for (const column of [at].flat()) if (typeof column === 'number') held.set(column - 1, field)
  }
  return Array.from({ length: width }, (_, column) => {
    const field = held.get(column)
    return { column, field, isFound: field !== undefined && found_by[field] === 'heading' }
  })
}

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
  const cells = header?.cells.map((cell) => cell.trim().toLocaleLowerCase()) ?? []
  const own = cells[column]
  // a heading of one or two letters could be read as the letter of another column
  if (own === undefined || own.length < 3 || cells.filter((cell) => cell === own).length > 1) return undefined
  return header?.cells[column]?.trim()
}
