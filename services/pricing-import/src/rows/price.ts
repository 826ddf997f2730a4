import { cellWords, MAX_READ_CELL } from './cell-limit.js'
import { type DecimalMark, readNumber } from './number-text.js'

const rouble = String.raw`руб(?:л(?:ей|я|ь))?\.?|р\.?|rub\.?|rur\.?`
const neighbour = String.raw`uah|грн\.?|kzt|тг\.?|тенге|byn|бел\.?[ \u00a0]?руб\.?|gel|amd|azn|kgs|сом|uzs|сум|mdl`
const other = String.raw`usd|eur|у\.?[ \u00a0]?е\.?|cny|rmb|chf|gbp|pln|zł|zl|czk|try|tl|jpy|aed|[$€₽₴₸£¥₼₾₺]`
const currency = `(?:${rouble}|${neighbour}|${other})`
// the white space around them is trimmed: a pattern that ends in `$` must not begin with a repetition
const each = /(?:\/|за)\s*(?:1\s*)?(?:шт|ед|компл|к-т|уп|pc|pcs|piece|ea|unit)\.?$/iu
const currencyBefore = new RegExp(`^${currency}`, 'iu')
const currencyBehind = new RegExp(`${currency}$`, 'iu')
/** `100,-` and `100=` */
const noCents = /(?:[.,]\s?[-–—]{1,2}|=)$/
const none = /^[-‐‑–—−]*$/
/** There is no price in the list: the partner has to ask. */
const onRequest = new Set([
  'договорная',
  'цена договорная',
  'по договоренности',
  'по договорённости',
  'по запросу',
  'цена по запросу',
  'уточняйте',
  'уточняйте цену',
  'звоните',
  'нет цены',
  'on request',
  'price on request',
  'call',
  'call for price',
  'poa',
  'tba',
  'n/a',
])
/** A fast path for nearly all cells; the general rules give the same result. */
const plain = /^\d{1,9}(?:\.\d{1,2})?$/

/** Above this limit a double cannot represent cents. */
const MAX_PRICE = 1e12

/** Why the price in a cell cannot be used. */
export type BadPrice = 'BAD_PRICE' | 'NEGATIVE_PRICE'

/**
 * Reads a price like `1 234,50 руб`, `2.500,54` or `1,234.50`.
 * @returns null when the cell is empty, or says that the price has to be asked for (rules.md#importable)
 */
export function readPrice(cell: string, mark?: DecimalMark): number | null | BadPrice {
  if (plain.test(cell)) return Number(cell)
  const text = cell.trim()
  if (text.length > MAX_READ_CELL) return 'BAD_PRICE'
  if (none.test(text) || onRequest.has(cellWords(text).replace(/[.!]$/, ''))) return null
  const bare = priceDigits(text)
  if (/^[-–−]\s*\d/.test(bare)) return 'NEGATIVE_PRICE'
  const price = readNumber(bare, mark)
  return price === undefined || price > MAX_PRICE ? 'BAD_PRICE' : price
}

/** Price × (1 + percent / 100), to two decimals, halves up (rules.md#markup). */
export function withMarkup(price: number, percent: number): number {
  const cents = price * (100 + percent)
  const nearest = Math.round(cents)
  // fast path without formatting numbers: small enough, and too far from a half for rounding errors to matter
  if (nearest < 1e9 && Math.abs(Math.abs(cents - nearest) - 0.5) > 1e-3) return nearest / 100
  const exact = Number((price * (1 + percent / 100)).toPrecision(14))
  return exact < 1e-6 ? 0 : Number(`${Math.round(Number(`${exact}e2`))}e-2`)
}

/** The price cell without a currency before or after the number and `/шт`, to determine the decimal mark. */
export function priceDigits(cell: string): string {
  const text = cell.trim()
  if (text.length > MAX_READ_CELL) return ''
  // most prices are a bare number
  if (/^\d(?:.*\d)?$/.test(text)) return text
  return text
    .replace(currencyBefore, '')
    .trim()
    .replace(each, '')
    .trimEnd()
    .replace(currencyBehind, '')
    .trimEnd()
    .replace(noCents, (sign) => (sign === '=' ? '' : `${sign[0]}00`))
}
