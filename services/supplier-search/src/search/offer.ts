import { isLongerThan } from '@partsbus/contracts/text-length'

/** A brand that a supplier has the article of, in the supplier's own writing. */
export interface BrandRow {
  brand: string
  article: string
  name: string
}

/** A position of a supplier, in the supplier's own writing, with numbers that can be trusted. */
export interface Offer extends BrandRow {
  /** above 0 */
  quantity: number
  /** at most two decimals; missing when the supplier gave none */
  price?: number
  delivery_days?: number
}

/** Longest brand or article a partner can ask for. */
const MAX_TEXT = 191
const MAX_NAME = 1_000

/** Reads a brand of a supplier's answer. @returns undefined when brand or article is missing */
export function readBrandRow(row: unknown): BrandRow | undefined {
  const brand = textOf(row, 'brand')
  const article = textOf(row, 'article')
  if (brand === '' || article === '' || isLongerThan(brand, MAX_TEXT) || isLongerThan(article, MAX_TEXT))
    return undefined
  return { brand, article, name: textOf(row, 'name').slice(0, MAX_NAME).toWellFormed() }
}

/**
 * Reads a position of a supplier's answer (partners.md#parts-4): dropped unless its quantity is an integer above 0;
 * a price or a delivery time that cannot be one is left out.
 */
export function readOffer(row: unknown): Offer | undefined {
  const brandRow = readBrandRow(row)
  const quantity = valueOf(row, 'quantity')
  if (!brandRow || !isCount(quantity) || quantity === 0) return undefined
  const price = valueOf(row, 'price')
  const days = valueOf(row, 'delivery_days')
  return {
    ...brandRow,
    quantity,
    ...(typeof price === 'number' && Number.isFinite(price) && price >= 0 && { price: toCents(price) }),
    ...(isCount(days) && { delivery_days: days + 0 }),
  }
}

/** `-` stands for no name at many suppliers (partners.md#brands-4). */
export function hasName(row: BrandRow): boolean {
  return row.name !== '' && row.name !== '-'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Rounded to two decimals as it is written in decimals: 1.005 is 1.01. */
function toCents(price: number): number {
  // beyond these a number is written with an exponent, or has no cents
  if (price >= 1e15) return price
  if (price < 0.001) return 0
  return Number(`${Math.round(Number(`${price}e2`))}e-2`)
}

function textOf(row: unknown, field: string): string {
  const value = valueOf(row, field)
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
}

/** Own fields only: what a row inherits is not what the supplier said. */
function valueOf(row: unknown, field: string): unknown {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) return undefined
  return (row as Record<string, unknown>)[field]
}
