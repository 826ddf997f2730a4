import { articleKey, brandKey } from '@partsbus/contracts/article'
import { isLongerThan } from '@partsbus/contracts/text-length'
import { readDeliveryDays } from './delivery-days.js'
import type { Field } from './field-headings.js'
import type { Layout } from './layout.js'
import type { DecimalMark } from './number-text.js'
import { readPrice, withMarkup } from './price.js'
import { readQuantity } from './quantity.js'
import type { KnownBrand } from './known-brands.js'
import type { SkipCode } from './skip-code.js'

/** The settings of a list that determine its offers. */
export interface RowRules {
  markup_percent: number
  /** for rows without delivery days */
  delivery_days: number | null
  /** when blank brands are looked for among them */
  known_brands?: readonly KnownBrand[]
}

/** A row that becomes an offer. The keys are those of `contracts/article.ts`. */
export interface ImportableRow {
  brand: string
  article: string
  name: string
  quantity: number
  price: number | null
  delivery_days: number | null
  brand_key: string
  article_key: string
}

const MAX_KEY_TEXT = 191
const MAX_NAME = 1_000
/** A total below the rows. In a list with a constant brand it would be read as an article. */
const TOTAL = /^(ИТОГО|ВСЕГО|TOTAL|GRANDTOTAL|SUBTOTAL)$/

/**
 * Reads one row below the header (rules.md#importable). The result depends on the arguments alone.
 * @param findBrand the brand of a row without one of its own, by its name
 */
export function readRow(
  cells: string[],
  layout: Layout,
  rules: RowRules,
  mark: DecimalMark | undefined,
  findBrand?: (name: string) => string,
): ImportableRow | SkipCode {
  const article = pick(cells, layout, 'article')
  const quantityText = pick(cells, layout, 'quantity')
  const priceText = pick(cells, layout, 'price')
  if (article === '' && quantityText === '' && priceText === '') return 'GROUP_ROW'
  if (quantityText === '' && priceText === '' && filled(cells) === 1) return 'GROUP_ROW'
  const article_key = articleKey(article)
  if (article_key === '') return 'NO_ARTICLE'
  const ownBrand = layout.brand ?? (pick(cells, layout, 'brand') || (findBrand?.(pick(cells, layout, 'name')) ?? ''))
  const brand_key = brandKey(ownBrand)
  if (brand_key === '') return 'NO_BRAND'
  if (isLongerThan(article, MAX_KEY_TEXT) || isLongerThan(ownBrand, MAX_KEY_TEXT)) return 'TOO_LONG'
  if (hasBrandOfMany(layout) && isTotal(article) && pick(cells, layout, 'name') === '') return 'GROUP_ROW'
  if (layout.quantity === undefined && quantityText === '') return 'NO_QUANTITY'
  const quantity = layout.quantity ?? readQuantity(quantityText)
  if (quantity === undefined) return 'BAD_QUANTITY'
  const price = readPrice(priceText, mark)
  if (typeof price === 'string') return price
  const days = readDeliveryDays(pick(cells, layout, 'delivery_days'))
  if (days === undefined) return 'BAD_DELIVERY_DAYS'
  return {
    brand: ownBrand,
    article,
    name: pick(cells, layout, 'name').slice(0, MAX_NAME).toWellFormed(),
    quantity,
    price: price === null ? null : withMarkup(price, rules.markup_percent),
    delivery_days: days ?? rules.delivery_days,
    brand_key,
    article_key,
  }
}

/** Whether rows have a brand although none stands in them. */
function hasBrandOfMany({ brand, hasGroupBrand = false }: Layout): boolean {
  return brand !== undefined || hasGroupBrand
}

export function isTotal(text: string): boolean {
  return TOTAL.test(articleKey(text))
}

/** Offers without the name of a product are left out of partners' search for brands (partners.md#brands-4). */
export function isUnnamed({ name }: Pick<ImportableRow, 'name'>): boolean {
  return name === '' || name === '-'
}

export function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

/**
 * The first cell of a field's columns that is neither blank nor ignored, trimmed and without the spreadsheet's text
 * marker.
 */
export function pick(cells: string[], layout: Layout, field: Field): string {
  const columns = layout.columns[field]
  const ignored = layout.ignored[field]
  for (let index = 0; index < columns.length; index += 1) {
    const text = withoutTextMarker(cells[columns[index] ?? -1]?.trim() ?? '')
    if (text !== '' && !ignored?.includes(text)) return text
  }
  return ''
}

/** In spreadsheets `="01016600"` and `'01016600` mark a cell as text. Our own exports write `'=…`. */
function withoutTextMarker(text: string): string {
  const code = text.charCodeAt(0)
  if (code === 0x3d) return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text
  return code === 0x27 && /^'[=+\-@\d]/.test(text) ? text.slice(1) : text
}

function filled(cells: string[]): number {
  let count = 0
  for (const cell of cells) if (!isBlank(cell)) count += 1
  return count
}
