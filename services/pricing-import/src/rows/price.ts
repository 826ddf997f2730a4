import { type DecimalMark, readNumber } from './number-text.js'

const currency = String.raw`(?:руб(?:л(?:ей|я|ь))?\.?|р\.?|rub\.?|rur\.?|usd|eur|uah|грн\.?|kzt|тг\.?|тенге|byn|бел\.?\s*руб\.?|у\.?\s?е\.?|cny|rmb|chf|gbp|pln|zł|zl|czk|try|tl|gel|amd|azn|kgs|сом|uzs|сум|mdl|jpy|aed|[$€₽₴₸£¥₼₾₺])`
const each = String.raw`(?:\s*(?:\/|за)\s*(?:1\s*)?(?:шт|ед|компл|к-т|уп|pc|pcs|piece|ea|unit)\.?)`
/** A currency in front or behind, `/шт`, and the dash that stands for no cents: `100,-`, `100=`. */
const around = new RegExp(`^${currency}\\s*|\\s*${currency}?${each}$|\\s*${currency}$`, 'giu')
const noCents = /(?:[.,]\s?[-–—]{1,2}|=)$/
const none = /^[-‐‑–—−]*$/
/** What nearly all cells hold; the rules below come to the same. */
const plain = /^\d{1,9}(?:\.\d{1,2})?$/

/** Prices beyond have no cents in a double. */
const MAX_PRICE = 1e12

/** A cell that holds a price that is there but cannot be used. */
export type BadPrice = 'BAD_PRICE' | 'NEGATIVE_PRICE'

/**
 * Reads a price like `1 234,50 руб`, `2.500,54` or `1,234.50`.
 * @returns null when there is none (rules.md#importable)
 */
export function readPrice(cell: string, mark?: DecimalMark): number | null | BadPrice {
  if (plain.test(cell)) return Number(cell)
  const text = cell.trim()
  if (none.test(text)) return null
  const bare = priceDigits(text)
  if (/^[-–−]\s*\d/.test(bare)) return 'NEGATIVE_PRICE'
  const price = readNumber(bare, mark)
  return price === undefined || price > MAX_PRICE ? 'BAD_PRICE' : price
}

/** Price × (1 + percent / 100), to two decimals, halves up (rules.md#markup). */
export function withMarkup(price: number, percent: number): number {
  const cents = price * (100 + percent)
  const nearest = Math.round(cents)
  // so far from a half that no rounding on the way can tip it, and small enough: without printing numbers
  if (nearest < 1e9 && Math.abs(Math.abs(cents - nearest) - 0.5) > 1e-3) return nearest / 100
  const exact = Number((price * (1 + percent / 100)).toPrecision(14))
  return exact < 1e-6 ? 0 : Number(`${Math.round(Number(`${exact}e2`))}e-2`)
}

/** The price cell without the currency, for what it tells about the decimal mark. */
export function priceDigits(cell: string): string {
  const text = cell.trim()
  // most prices are a bare number
  return /^\d(?:.*\d)?$/.test(text)
    ? text
    : text
        .replace(around, '')
        .trim()
        .replace(noCents, (sign) => (sign === '=' ? '' : `${sign[0]}00`))
}
