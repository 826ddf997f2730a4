import { type DecimalMark, readNumber } from './number-text.js'

const currency = String.raw`(?:руб(?:л(?:ей|я|ь))?\.?|р\.?|₽|rub\.?|rur\.?|usd|eur|uah|грн\.?|kzt|тг\.?|тенге|byn|бел\.?\s*руб\.?|[$€₴₸£])`
const currencyAround = new RegExp(`^${currency}\\s*|\\s*${currency}$`, 'giu')
const none = /^[-–—]*$/

/** Prices beyond have no cents in a double. */
const MAX_PRICE = 1e12

/** A cell that holds a price that is there but cannot be used. */
export type BadPrice = 'BAD_PRICE' | 'NEGATIVE_PRICE'

/**
 * Reads a price like `1 234,50 руб`, `2.500,54` or `1,234.50`.
 * @returns null when there is none (decisions, "An importable row")
 */
export function readPrice(cell: string, mark?: DecimalMark): number | null | BadPrice {
  const text = cell.trim()
  if (none.test(text)) return null
  const bare = text.replace(currencyAround, '').trim()
  if (/^[-–−]\s*\d/.test(bare)) return 'NEGATIVE_PRICE'
  const price = readNumber(bare, mark)
  return price === undefined || price > MAX_PRICE ? 'BAD_PRICE' : price
}

/** Price × (1 + percent / 100), to two decimals, halves up (decisions, "Price"). */
export function withMarkup(price: number, percent: number): number {
  const exact = Number((price * (1 + percent / 100)).toPrecision(14))
  return exact < 1e-6 ? 0 : Number(`${Math.round(Number(`${exact}e2`))}e-2`)
}

/** The price cell without the currency, for what it tells about the decimal mark. */
export function priceDigits(cell: string): string {
  return cell.trim().replace(currencyAround, '').trim()
}
