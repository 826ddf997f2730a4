import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { type Field, fields } from './field-headings.js'
import { countHeadings, guessColumns, normalHeading } from './heading.js'
import { IgnoredValues } from './ignored-values.js'

/** The 0-based columns of each field. The first of them that is not blank in a row counts. */
export interface Layout {
  columns: Record<Field, number[]>
  /** brand of every row, instead of a column */
  brand?: string
  /** the brand is that of the group, instead of a column */
  hasGroupBrand?: boolean
  /** quantity of every row, instead of a column */
  quantity?: number
  /** index of the header among the given rows; -1 when there is none */
  header: number
  /** cells that count as blank */
  ignored: Partial<Record<Field, IgnoredValues>>
}

/** The missing fields of a file, and its recognized ones. */
export interface MissingColumns {
  /**
   * COLUMN_NOT_FOUND: a column that the format names; COLUMNS_NOT_FOUND: a field has none; ARTICLES_DOUBTFUL: the one
   * whose heading means articles holds something else
   */
  code: 'COLUMN_NOT_FOUND' | 'COLUMNS_NOT_FOUND' | 'ARTICLES_DOUBTFUL'
  missing: Field[]
  layout: Layout
}

/** The columns cannot be determined. The message is for the partner and the administrator. */
export class ColumnsNotFound extends Error {
  constructor(
    message: string,
    readonly columns: MissingColumns,
  ) {
    super(message)
  }
}

type Names = Array<number | string>

/**
 * Finds the header and the columns (admin.md#price-list-format, rules.md#columns): as set, else by usual headings.
 * @param rows the beginning of the file, without the rows of `format.skip_rows`
 * @throws ColumnsNotFound when article, brand or quantity have no column
 */
export function findLayout(rows: string[][], format: PriceListFormat): Layout {
  const normal = rows.map((row) => row.map(normalHeading))
  const header = format.header === false ? -1 : headerIndex(normal, format)
  const head = normal[header] ?? []
  const set = new Map<Field, Names>()
  for (const field of fields) {
    const names = columnNames(format, field)
    if (names) set.set(field, names)
  }
  const columns: Record<Field, number[]> = {
    article: [],
    brand: [],
    name: [],
    quantity: [],
    price: [],
    delivery_days: [],
  }
  for (const [field, names] of set) columns[field] = resolve(names, head)
  const constants = constantsOf(format)
  const hasGroupBrand = isGroupBrand(format)
  const unset = fields.filter(
    (field) => !set.has(field) && !(field in constants) && !(field === 'brand' && hasGroupBrand),
  )
  for (const [field, column] of guessColumns(head, unset, new Set(Object.values(columns).flat())))
    columns[field] = [column]
  const layout = { columns, header, ...constants, hasGroupBrand, ignored: ignoredValues(format) }
  check(layout, set, hasGroupBrand || (format.known_brands ?? false))
  return layout
}

function columnNames(format: PriceListFormat, field: Field): Names | undefined {
  const set = format.columns?.[field]
  if (set === undefined || (typeof set === 'object' && !Array.isArray(set))) return undefined
  return Array.isArray(set) ? set : [set]
}

function ignoredValues({ ignore_values = {} }: PriceListFormat): Layout['ignored'] {
  const ignored: Layout['ignored'] = {}
  for (const field of fields) {
    const values = ignore_values[field]
    if (values !== undefined && values.length > 0) ignored[field] = new IgnoredValues(values)
  }
  return ignored
}

function constantsOf({ columns: { brand, quantity } = {} }: PriceListFormat): Pick<Layout, 'brand' | 'quantity'> {
  return {
    ...(typeof brand === 'object' && 'value' in brand && { brand: brand.value.trim() }),
    ...(typeof quantity === 'object' && !Array.isArray(quantity) && { quantity: quantity.value }),
  }
}

function isGroupBrand({ columns: { brand } = {} }: PriceListFormat): boolean {
  return typeof brand === 'object' && 'group' in brand
}

/** The first row with the most known headings, at least two; with `header: true` else the first that is not blank. */
function headerIndex(rows: string[][], format: PriceListFormat): number {
  const named = fields
    .map((field) => (columnNames(format, field) ?? []).filter((name) => typeof name === 'string').map(normalHeading))
    .filter((names) => names.length > 0)
  // short names may be column letters, so they count only when every configured field has its heading in the row
  const isNamed = (row: string[]): boolean =>
    named.every((names) => names.some((name) => name !== '' && row.includes(name)))
  const texts = named.flat().filter((text) => text.length > 2)
  let best = -1
  let most = 1
  rows.forEach((row, index) => {
    const set = named.length > 1 && isNamed(row) ? named.length : texts.filter((text) => row.includes(text)).length
    const score = Math.max(set, countHeadings(row))
    if (score > most) [best, most] = [index, score]
  })
  const hasQuantity = constantsOf(format).quantity !== undefined
  if (best === -1) best = rows.findIndex((row) => isGuessedHeader(row, hasQuantity))
  if (best === -1 && texts.length > 0) best = rows.findIndex((row) => texts.some((text) => row.includes(text)))
  return best === -1 && format.header === true ? rows.findIndex((row) => row.some((cell) => cell !== '')) : best
}

/** A header without any usual heading: `Ваш артикул`, `Наш бренд`, `Текущий остаток`. */
function isGuessedHeader(row: string[], hasQuantity: boolean): boolean {
  const columns = guessColumns(row, fields)
  return columns.size > 2 && columns.has('article') && (hasQuantity || columns.has('quantity'))
}

function resolve(names: Names, head: string[]): number[] {
  const found = names.map((name) => {
    if (typeof name === 'number') return name - 1
    const named = columnNamed(head, normalHeading(name))
    return named === -1 && /^[a-z]{1,2}$/i.test(name.trim()) ? letterColumn(name.trim()) : named
  })
  return found.filter((column) => column >= 0)
}

/** The column with this heading, else the only one that begins with it: `Цена` matches `Цена на 21.11.2026`. */
function columnNamed(head: string[], name: string): number {
  const exact = head.indexOf(name)
  if (exact !== -1 || name.length < 3) return exact
  const longer = head.flatMap((heading, index) => (heading.startsWith(`${name} `) ? [index] : []))
  return longer.length === 1 ? (longer[0] ?? -1) : -1
}

/** `A` → 0, `AB` → 27. */
function letterColumn(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** @param isBrandElsewhere a row without a brand of its own may have one */
function check(layout: Layout, set: Map<Field, Names>, isBrandElsewhere: boolean): void {
  const { columns } = layout
  const notFound = [...set].filter(([field]) => columns[field].length === 0)
  const missing = (['article', 'brand', 'quantity'] as const).filter(
    (field) => columns[field].length === 0 && !(field in layout) && !(field === 'brand' && isBrandElsewhere),
  )
  const [first] = notFound
  if (first) {
    const [field, names] = first
    throw new ColumnsNotFound(
      `The file has no column ${names.map((name) => `"${name}"`).join(' or ')}, ` +
        `which the price list expects for the ${fieldLabel(field)}.`,
      { code: 'COLUMN_NOT_FOUND', missing: [...new Set([...notFound.map(([name]) => name), ...missing])], layout },
    )
  }
  if (missing.length > 0)
    throw new ColumnsNotFound(
      `No column was found for the ${missing.map(fieldLabel).join(' and the ')}. ` +
        'Name the columns in a header row, or set them in the price list.',
      { code: 'COLUMNS_NOT_FOUND', missing, layout },
    )
}

/** @param missing further fields that have no column */
export function doubtfulArticle(heading: string, layout: Layout, missing: readonly Field[]): ColumnsNotFound {
  return new ColumnsNotFound(
    `The column "${heading.trim()}" was not taken for the article: it is almost blank, or has remarks.`,
    {
      code: 'ARTICLES_DOUBTFUL',
      missing: ['article', ...missing],
      layout: { ...layout, columns: { ...layout.columns, article: [] } },
    },
  )
}

function fieldLabel(field: Field): string {
  return field.replace('_', ' ')
}
