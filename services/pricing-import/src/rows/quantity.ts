import { withoutGroupSpaces } from './number-text.js'

const words = new Map<string, number>()
for (const word of ['есть', 'да', 'в наличии', 'на складе', 'имеется', 'много', 'достаточно', 'мало', 'yes', 'in stock', 'available', 'instock', 'true', '+', '++', '+++']) words.set(word, 1)
for (const word of ['нет', 'нет в наличии', 'отсутствует', 'под заказ', 'ожидается', 'no', 'none', 'out of stock', 'on order', 'false', '-', '–', '—']) words.set(word, 0)

const unit = /\s*(?:шт(?:ук[аи]?)?|pcs?|pieces?|ед|компл(?:ект(?:а|ов)?)?|к-т|пар[аы]?)\.?$/u
const atLeast = /^(?:>=?|≥|~|≈|более|больше|свыше|от|не менее|more than|over|at least|from)\s*(.+)$/u
const below = /^(?:<=?|≤|менее|меньше|до|не более|less than|under|up to)\s*(.+)$/u
const range = /^(\d+)\s*(?:-|–|—|\.\.)\s*(\d+)$/

/** Larger ones are no quantities of parts. */
const MAX_QUANTITY = 2_147_483_647

/**
 * Reads a quantity like `12`, `>10`, `10+`, `более 50`, `есть`, `-`. Where the text leaves it open, the number that is there
 * for certain: 10 of `>10`, 1 of `есть` and `<5`, 5 of `5-10`. Decimals are cut off (`12,000` is twelve).
 * @returns undefined when it is not understood
 */
export function readQuantity(cell: string): number | undefined {
  const text = cell.trim().toLowerCase().replace(/\s+/g, ' ')
  const word = words.get(text)
  if (word !== undefined) return word
  const bare = text.replace(unit, '')
  const low = range.exec(bare)?.[1]
  if (low !== undefined) return bounded(Number(low))
  const most = below.exec(bare)?.[1]
  if (most !== undefined) {
    const limit = readCount(most)
    return limit === undefined ? undefined : Math.min(limit, limit > 1 ? 1 : 0)
  }
  return readCount(atLeast.exec(bare)?.[1] ?? bare)
}

function readCount(text: string): number | undefined {
  const digits = withoutGroupSpaces(text.replace(/\s*\+$/, ''))
  if (/^\d{1,3}(?:,\d{3}){2,}$/.test(digits)) return bounded(Number(digits.replaceAll(',', '')))
  const whole = /^(\d+)(?:[.,]\d*)?$/.exec(digits)?.[1]
  return whole === undefined ? undefined : bounded(Number(whole))
}

function bounded(quantity: number): number | undefined {
  return quantity <= MAX_QUANTITY ? quantity : undefined
}
