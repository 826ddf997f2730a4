import { isLongerThan } from '@partsbus/contracts/text-length'
import { isValidText } from '@partsbus/contracts/valid-text'

/** A brand of the article at a supplier, in the supplier's spelling. */
export interface BrandRow {
  brand: string
  article: string
  name: string
}

/** An offer of a supplier, in the supplier's spelling, with valid numbers. */
export interface Offer extends BrandRow {
  /** above 0 */
  quantity: number
  /** at most two decimals; absent when the supplier gave none */
  price?: number
  delivery_days?: number
}

/** Longest brand or article that a partner can ask for. */
const MAX_TEXT = 191
const MAX_NAME = 1_000

/** Reads a brand from a supplier's reply. @returns undefined when brand or article is missing */
export function readBrandRow(row: unknown): BrandRow | undefined {
  const brand = readText(row, 'brand')
  const article = readText(row, 'article')
  if (brand === '' || article === '' || isLongerThan(brand, MAX_TEXT) || isLongerThan(article, MAX_TEXT))
    return undefined
  return { brand, article, name: readText(row, 'name').slice(0, MAX_NAME).toWellFormed() }
}

/**
 * Reads an offer from a supplier's reply (partners.md#parts-4): dropped unless its quantity is an integer above 0;
 * an invalid price or delivery time is omitted, and so is a price that rounds to 0, which would offer the part for
 * free.
 */
export function readOffer(row: unknown): Offer | undefined {
  const brandRow = readBrandRow(row)
  const quantity = readField(row, 'quantity')
  if (!brandRow || !isCount(quantity) || quantity === 0) return undefined
  const price = readPrice(row)
  const days = readField(row, 'delivery_days')
  return {
    ...brandRow,
    quantity,
    ...(price !== undefined && { price }),
    ...(isCount(days) && { delivery_days: days + 0 }),
  }
}

/** Many suppliers write `-` for a missing name (partners.md#brands-4). */
export function hasName(row: BrandRow): boolean {
  return row.name !== '' && row.name !== '-'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function readPrice(row: unknown): number | undefined {
  const price = readField(row, 'price')
  if (typeof price !== 'number' || !Number.isFinite(price) || price < 0) return undefined
  const rounded = roundToCents(price)
  return rounded === 0 && price > 0 ? undefined : rounded
}

/** Rounds the decimal notation to two decimals: 1.005 is 1.01. */
function roundToCents(price: number): number {
  // most prices are the numbers nearest to their cents
  if (price < 1e12 && Math.round(price * 100) / 100 === price) return price
  // outside of these limits a number is written with an exponent, or has no cents
  if (price >= 1e15) return price
  if (price < 0.001) return 0
  return Number(`${Math.round(Number(`${price}e2`))}e-2`)
}

/** Partners send brands back, and could not send an invalid text. */
function readText(row: unknown, field: string): string {
  const value = readField(row, field)
  if (typeof value === 'string') return isValidText(value) ? value.trim() : ''
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
}

/** Own fields only: inherited ones were not sent by the supplier. */
function readField(row: unknown, field: string): unknown {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, field)) return undefined
  return (row as Record<string, unknown>)[field]
}
