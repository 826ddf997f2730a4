import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** One offer of a generated price list, as text. */
export interface PriceRow {
  brand: string
  article: string
  name: string
  quantity: number
  price: number
  days: number
}

const words = [
  'Фильтр',
  'масляный',
  'передний',
  'колодки',
  'тормозные',
  'левый',
  'амортизатор',
  'дверь',
  'сальник',
  'ремень',
]
const LINES_AT_ONCE = 2_000
export const priceHeadings = ['Бренд', 'Артикул', 'Наименование', 'Количество', 'Цена', 'Срок доставки'] as const

/** @param salt distinguishes lists; articles are the same in all lists */
export function priceRow(n: number, salt = 0): PriceRow {
  return {
    brand: `BRAND-${n % 97}`,
    article: `A-${n}-${n % 13}`,
    name: `${words[n % 10]} ${words[(n >> 3) % 10]} ${n}`,
    quantity: 1 + ((n + salt) % 500),
    price: (100 + ((n * 7 + salt) % 900_000)) / 100,
    days: (n + salt) % 9,
  }
}

/**
 * A list with a header, separated by semicolons, about 55 characters per row, with a quoted cell in every tenth row.
 * @param start number of the first row, which distinguishes the articles of lists
 */
export function* csvPieces(rows: number, salt = 0, start = 0): Generator<string> {
  yield `${priceHeadings.join(';')}\r\n`
  for (let first = start; first < start + rows; first += LINES_AT_ONCE) {
    let piece = ''
    for (let n = first; n < Math.min(start + rows, first + LINES_AT_ONCE); n += 1) {
      const { brand, article, name, quantity, price, days } = priceRow(n, salt)
      const shown = n % 10 === 0 ? `"${name}; шт"` : name
      piece += `${brand};${article};${shown};${quantity};${price.toFixed(2)};${days}\r\n`
    }
    yield piece
  }
}

export type CsvEncoding = 'utf-8' | 'windows-1251'

/** The bytes of a generated list. */
export function csvBytes(rows: number, encoding: CsvEncoding = 'utf-8', salt = 0, start = 0): Readable {
  const encode = encoding === 'utf-8' ? (text: string) => Buffer.from(text) : windows1251
  return Readable.from(
    (function* () {
      for (const piece of csvPieces(rows, salt, start)) yield encode(piece)
    })(),
    { objectMode: false },
  )
}

export async function writeCsv(
  path: string,
  rows: number,
  encoding: CsvEncoding = 'utf-8',
  salt = 0,
  start = 0,
): Promise<void> {
  const file = createWriteStream(path)
  for await (const piece of csvBytes(rows, encoding, salt, start)) await put(file, piece as Buffer)
  file.end()
  await finished(file)
}

async function put(file: Writable, piece: Buffer): Promise<void> {
  if (!file.write(piece)) await once(file, 'drain')
}

/** Supports ASCII and the letters А to я, as in generated lists. */
function windows1251(text: string): Buffer {
  const bytes = Buffer.alloc(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    bytes[at] = code < 0x80 ? code : code - 0x410 + 0xc0
  }
  return bytes
}
