import { cellWords, MAX_READ_CELL } from './cell-limit.js'

const words = new Map<string, number>([
  ['сегодня', 0],
  ['в наличии', 0],
  ['на складе', 0],
  ['есть', 0],
  ['склад', 0],
  ['сразу', 0],
  ['сейчас', 0],
  ['в день заказа', 0],
  ['today', 0],
  ['in stock', 0],
  ['same day', 0],
  ['immediately', 0],
  ['завтра', 1],
  ['на следующий день', 1],
  ['tomorrow', 1],
  ['next day', 1],
  ['послезавтра', 2],
  ['день', 1],
  ['неделя', 7],
  ['week', 7],
  ['месяц', 30],
  ['month', 30],
])

const dayKind = '(?:раб(?:\\.|оч(?:\\.|их|ий|ие))?|кал(?:\\.|ендарн(?:ых|ый|ые))?|р\\.?|к\\.?|working|business)'
const dayUnit = `(?:${dayKind}?[ \\/]?(?:дн(?:\\.|я|ей|ень|и)?|день|дня|дней|д\\.?|days?|d\\.?)|сут(?:\\.|ки|ок)?)`
const weekUnit = '(?:нед(?:\\.|ел[яиью])?|недель|weeks?|wks?|w)'
const monthUnit = '(?:мес(?:\\.|яц(?:а|ев)?)?|months?)'
const hourUnit = '(?:час(?:а|ов)?|ч\\.?|hours?|hrs?|h)'
const ordinal = '(?:\\s?-?\\s?(?:х|ти|и|го))?'
const before = '(?:>|<|~|≈|около|до|от|более|через|за|в течение|up to|around|about|from|within|in)'
const least = `(\\d{1,5})(?:[.,]0+)?${ordinal}`
const most = ` ?(?:[-‐‑–—−]|\\.\\.\\.?|…|до|to|\\/) ?(\\d{1,5})${ordinal}`
const anyUnit = `(?:(${dayUnit})|(${weekUnit})|(${monthUnit})|(${hourUnit}))`
const shape = new RegExp(`^${before}? ?${least}(?:${most})? ?\\+? ?${anyUnit}?$`, 'u')
const none = /^[-‐‑–—−]*$/

const MAX_DAYS = 3_650

/**
 * Reads days of delivery like `3`, `2-3` (the larger), `5 дней`, `1-2 недели`, `24 ч`, `5 р.д.`.
 * @returns null when the cell is empty, undefined when its text is not understood
 */
export function readDeliveryDays(cell: string): number | null | undefined {
  if (/^\d{1,3}$/.test(cell)) return Number(cell)
  if (cell.length > MAX_READ_CELL) return undefined
  const text = cellWords(cell)
  if (none.test(text)) return null
  const word = words.get(text)
  if (word !== undefined) return word
  const match = shape.exec(text)
  if (!match) return undefined
  const [, from, to, , weeks, months, hours] = match
  const larger = Math.max(Number(from), Number(to ?? from))
  const days =
    weeks !== undefined
      ? larger * 7
      : months !== undefined
        ? larger * 30
        : hours !== undefined
          ? Math.ceil(larger / 24)
          : larger
  return days <= MAX_DAYS ? days : undefined
}
