import { cellWords, MAX_READ_CELL } from './cell-limit.js'
import { readNumber, withoutGroupSpaces } from './number-text.js'

const words = new Map<string, number>()
const some = [
  'есть',
  'да',
  'в наличии',
  'есть в наличии',
  'на складе',
  'есть на складе',
  'имеется',
  'имеется в наличии',
  'много',
  'достаточно',
  'мало',
  'последний',
  'yes',
  'y',
  'in stock',
  'on stock',
  'available',
  'instock',
  'true',
  'many',
  'few',
  'low',
  'low stock',
  'limited',
  'v',
  '✓',
  '✔',
  '√',
  '*',
  '**',
  '***',
  '+',
  '++',
  '+++',
  '++++',
  '+++++',
]
const nothing = [
  'нет',
  'нет в наличии',
  'нет на складе',
  'не в наличии',
  'отсутствует',
  'закончился',
  'закончилось',
  'распродано',
  'продано',
  'под заказ',
  'на заказ',
  'заказ',
  'предзаказ',
  'ожидается',
  'ожидаем',
  'ожидание',
  'в пути',
  'снят с производства',
  'снято с производства',
  'no',
  'n',
  'none',
  'out of stock',
  'not in stock',
  'not available',
  'unavailable',
  'sold out',
  'on order',
  'pre-order',
  'preorder',
  'backorder',
  'discontinued',
  'false',
  '-',
  '--',
  '---',
  '–',
  '—',
  '−',
]
for (const word of some) words.set(word, 1)
for (const word of nothing) words.set(word, 0)

const unit = / ?(?:шт(?:ук[аи]?)?|pcs?|pieces?|ea|units?|sets?|ед|экз|упак|уп|компл(?:ект(?:а|ов)?)?|к-т|пар[аы]?)\.?$/u
const inStock = 'есть в наличии|в наличии|есть|на складе|остаток|in stock|on stock|available'
const location = new RegExp(`^(?:${inStock}) ?[:(]? ?([<>≥≤~\\d][^()]*?) ?\\)?$`, 'u')
const trailingLocation = / ?(?:в наличии|на складе|in stock|on stock|available)$/u
const atLeast =
  /^(?:>=?|≥|=>|~|≈|\+|более|больше|свыше|от|не менее|около|порядка|more than|over|at least|from|about) ?(.+)$/u
const orMore = /^(\d.*?) ?(?:и|или|and|or) (?:более|больше|выше|more|above)$/u
const below = /^(?:<=?|≤|=<|менее|меньше|до|не более|less than|under|up to) ?(.+)$/u
const range = /^(\d+) ?(?:[-‐‑–—−]|\.\.\.?|…|до|to) ?(\d+)$/

/** Larger numbers are not quantities of parts. */
const MAX_QUANTITY = 2_147_483_647

/**
 * Reads a quantity like `12`, `>10`, `10+`, `более 50`, `есть`, `-`. When the text gives no exact number, the result is
 * the guaranteed minimum: 10 for `>10` and `10 и более`, 1 for `есть` and `<5`, 5 for `5-10`. Decimals are truncated
 * (`12,000` is twelve).
 * @returns undefined when the text is not understood
 */
export function readQuantity(cell: string): number | undefined {
  if (/^\d{1,9}$/.test(cell)) return Number(cell)
  if (cell.length > MAX_READ_CELL) return undefined
  const text = cellWords(cell).replace(/\.$/, '')
  const word = words.get(text)
  if (word !== undefined) return word
  const bare = withoutWords(text)
  const least = atLeast.exec(bare)?.[1] ?? orMore.exec(bare)?.[1] ?? bare
  const low = range.exec(least)?.[1]
  if (low !== undefined) return bounded(Number(low))
  const most = below.exec(bare)?.[1]
  if (most !== undefined) {
    const limit = readCount(most)
    return limit === undefined ? undefined : Math.min(limit, limit > 1 ? 1 : 0)
  }
  return readCount(least)
}

/** The number with its signs, without unit and location: `>10` of `в наличии: >10 шт.`. */
function withoutWords(text: string): string {
  const withoutLocation = location.exec(text)?.[1] ?? text.replace(trailingLocation, '')
  return withoutLocation.replace(/ ?\+$/, '').replace(unit, '').replace(/ ?\+$/, '')
}

function readCount(text: string): number | undefined {
  const digits = withoutGroupSpaces(text.replace(unit, ''))
  const whole = /^(\d+)(?:[.,]\d*)?$/.exec(digits)?.[1]
  if (whole !== undefined) return bounded(Number(whole))
  // `1.234,00` and `1,234,567`: with two marks it is clear which one separates thousands
  const number = /[.,].*[.,]/.test(digits) ? readNumber(digits) : undefined
  return number === undefined ? undefined : bounded(Math.trunc(number))
}

function bounded(quantity: number): number | undefined {
  return quantity <= MAX_QUANTITY ? quantity : undefined
}
