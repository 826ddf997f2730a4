/** The fields of a row that a column may hold. */
export const fields = ['article', 'brand', 'name', 'quantity', 'price', 'delivery_days'] as const

export type Field = (typeof fields)[number]

/** Usual headings, normalised, the surer ones first. `*` at the end: the heading only begins so. */
const headings: Record<Field, string[]> = {
  article: [
    'артикул', 'артикул производителя', 'article', 'part number', 'partnumber', 'part no', 'part', 'sku', 'mpn', 'каталожный номер', 'no по каталогу', 'номер детали',
    'номер по каталогу', 'код детали', 'код производителя', 'oem', 'арт', 'article number', 'артикул*', 'номер', 'number', 'код товара', 'код', 'code',
  ],
  brand: ['бренд', 'brand', 'производитель', 'наименование производителя', 'марка', 'изготовитель', 'фирма', 'торговая марка', 'manufacturer', 'vendor', 'make', 'maker', 'producer', 'бренд*', 'brand*', 'производитель*'],
  name: [
    'наименование', 'название', 'name', 'номенклатура', 'наименование товара', 'название товара', 'товар', 'title', 'product', 'product name', 'описание', 'description',
    'наименование*', 'название*', 'номенклатура*',
  ],
  quantity: [
    'количество', 'кол во', 'колво', 'кол', 'quantity', 'qty', 'остаток', 'остатки', 'наличие', 'в наличии', 'свободный остаток', 'stock', 'in stock', 'available',
    'availability', 'доступно', 'доступное количество', 'дост колич', 'quantity*', 'количество*', 'кол во*', 'остаток*', 'остатки*', 'наличие*', 'склад*', 'stock*',
  ],
  price: ['цена', 'price', 'стоимость', 'цена руб', 'цена продажи', 'цена реализации', 'selling price', 'розничная цена', 'оптовая цена', 'цена реализации*', 'цена продажи*', 'цена*', 'price*', 'опт*', 'розн*', 'cost', 'стоимость*'],
  delivery_days: ['срок поставки', 'срок доставки', 'срок', 'доставка', 'delivery days', 'delivery time', 'delivery', 'lead time', 'дней', 'days', 'срок*', 'delivery*'],
}

const MAX_HEADING = 80

/** Lower case, `ё` as `е`, letters and digits only, words divided by one space. */
export function normalHeading(cell: string): string {
  if (cell.length > MAX_HEADING) return ''
  return cell.normalize('NFKC').toLowerCase().replaceAll('ё', 'е').replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/**
 * Guesses which columns of a header row hold which field; no column serves two.
 * @param row normalised headings
 * @param wanted the fields to look for
 * @param taken columns that are spoken for
 */
export function guessColumns(row: string[], wanted: readonly Field[], taken: ReadonlySet<number> = new Set()): Map<Field, number> {
  const found = new Map<Field, number>()
  const used = new Set(taken)
  for (const isExact of [true, false]) {
    for (const field of wanted) {
      if (found.has(field)) continue
      const column = firstMatch(row, headings[field].filter((heading) => heading.endsWith('*') !== isExact), used)
      if (column === -1) continue
      found.set(field, column)
      used.add(column)
    }
  }
  return found
}

function firstMatch(row: string[], candidates: string[], used: ReadonlySet<number>): number {
  for (const candidate of candidates) {
    const column = candidate.endsWith('*')
      ? row.findIndex((cell, index) => !used.has(index) && cell.startsWith(candidate.slice(0, -1)))
      : row.findIndex((cell, index) => !used.has(index) && cell === candidate)
    if (column !== -1) return column
  }
  return -1
}
