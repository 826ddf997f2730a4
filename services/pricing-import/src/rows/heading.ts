/** The fields of a row that a column may hold. */
export const fields = ['article', 'brand', 'name', 'quantity', 'price', 'delivery_days'] as const

export type Field = (typeof fields)[number]

/** Usual headings, normalised, the most specific first. A trailing `*` matches any heading with this beginning. */
const headings: Record<Field, string[]> = {
  article: [
    'артикул',
    'артикул производителя',
    'article',
    'part number',
    'partnumber',
    'part no',
    'part',
    'part num',
    'p n',
    'sku',
    'mpn',
    'каталожный номер',
    'номер каталожный',
    'кат номер',
    'каталожный no',
    'кат no',
    'no по каталогу',
    'номер детали',
    'no детали',
    'номер запчасти',
    'номер по каталогу',
    'номер производителя',
    'код детали',
    'код запчасти',
    'код производителя',
    'oem',
    'oem номер',
    'oem no',
    'oem number',
    'oe',
    'oe номер',
    'арт',
    'article number',
    'article no',
    'catalog number',
    'catalogue number',
    'cat no',
    'reference',
    'ref',
    'артикул*',
    'item number',
    'item no',
    'item code',
    'product code',
    'product number',
    'stock code',
    'vendor code',
    'item',
    'номер',
    'number',
    'код товара',
    'код',
    'code',
  ],
  brand: [
    'бренд',
    'brand',
    'производитель',
    'наименование производителя',
    'марка',
    'изготовитель',
    'фирма',
    'фирма производитель',
    'завод изготовитель',
    'торговая марка',
    'тм',
    'виробник',
    'manufacturer',
    'vendor',
    'make',
    'maker',
    'producer',
    'mfr',
    'mfg',
    'trademark',
    'название бренда',
    'бренд*',
    'brand*',
    'производитель*',
    'изготовитель*',
    'manufacturer*',
  ],
  name: [
    'наименование',
    'название',
    'name',
    'номенклатура',
    'наименование товара',
    'название товара',
    'товар',
    'деталь',
    'запчасть',
    'title',
    'product',
    'product name',
    'part name',
    'item name',
    'описание',
    'description',
    'назва',
    'найменування',
    'наименование*',
    'название*',
    'номенклатура*',
    'описание*',
    'description*',
  ],
  quantity: [
    'количество',
    'кол во',
    'колво',
    'кол',
    'к во',
    'quantity',
    'qty',
    'остаток',
    'остатки',
    'наличие',
    'в наличии',
    'свободный остаток',
    'своб остаток',
    'stock',
    'in stock',
    'on hand',
    'available',
    'availability',
    'доступно',
    'доступное количество',
    'дост колич',
    'свободно',
    'кількість',
    'залишок',
    'наявність',
    'quantity*',
    'количество*',
    'кол во*',
    'остаток*',
    'остатки*',
    'наличие*',
    'в наличии*',
    'qty*',
    'доступно*',
    'склад*',
    'stock*',
    'шт',
    'pcs',
  ],
  price: [
    'цена',
    'price',
    'стоимость',
    'цена руб',
    'цена продажи',
    'цена реализации',
    'selling price',
    'розничная цена',
    'оптовая цена',
    'ціна',
    'цена реализации*',
    'цена продажи*',
    'цена*',
    'price*',
    'опт*',
    'розн*',
    'cost',
    'стоимость*',
  ],
  delivery_days: [
    'срок поставки',
    'срок доставки',
    'срок',
    'доставка',
    'delivery days',
    'delivery time',
    'delivery',
    'lead time',
    'дней',
    'дни',
    'days',
    'срок*',
    'время доставки*',
    'delivery*',
    'lead time*',
    'доставка*',
  ],
}

/** Words that identify a column without a usual heading: `Ваша цена`, `Свободный остаток на складе`. */
const tellingWords: Record<Field, RegExp> = {
  article: /(^| )(артикул|каталожный|oem|sku|mpn|article|part n(o|umber))( |$)/,
  brand: /(^| )(бренд|производитель|brand|manufacturer)( |$)/,
  name: /(^| )(наименование|название|номенклатура|description)( |$)/,
  quantity: /(^| )(количество|кол во|остаток|остатки|наличие|наличии|qty|quantity|stock|available)( |$)/,
  price: /(^| )(цена|price|стоимость)( |$)/,
  delivery_days: /(^| )(срок (поставки|доставки)|delivery (days|time)|lead time)( |$)/,
}

/** Headings that resemble one of the field but mean something else: `Кол-во в упаковке`, `Срок годности`. */
const otherwise: Record<Field, RegExp> = {
  article: /аналог|замен|кросс|cross|replac/,
  brand: /(^| )(код|страна|артикул|номер|сайт|авто|автомобиля|country|code|no|number|id|model)( |$)/,
  name: /производител|бренд|групп|категор|поставщик|склад|group|categor|brand|supplier/,
  quantity:
    /упак|кратн|короб|(^| )(мин|миним\p{L}*|макс\p{L}*|min|minimum|max|maximum|moq|pack|package|box|multiple|code|код|no|number|id)( |$)|заказ|order|резерв|reserv|ожида|транзит|transit/u,
  price: /достав|упак|валют|currency|delivery|(^| )(дата|date|код|code|мин|min)( |$)|^price list|^прайс лист/,
  delivery_days:
    /годн|служб|гарант|действ|оплат|стоимост|цена|услов|способ|адрес|(^| )(руб|дата|date|cost|price|terms|method|address)( |$)/,
}

const MAX_HEADING = 80
const CYRILLIC_TWINS = new Map([...'abcehkmoptxy'].map((latin, index) => [latin, 'авсенкмортху'[index] ?? latin]))

/** Lower case, `ё` as `е`, letters and digits only, single spaces; see `withoutTwins` for Latin letters. */
export function normalHeading(cell: string): string {
  if (cell.length > MAX_HEADING) return ''
  const words = cell
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll('\u00ad', '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return /[а-я]/.test(words) && /[a-z]/.test(words) ? words.split(' ').map(withoutTwins).join(' ') : words
}

/** Replaces the Latin letters in a word like `apтикул`. */
function withoutTwins(word: string): string {
  return /[а-я]/.test(word) ? word.replace(/[a-z]/g, (letter) => CYRILLIC_TWINS.get(letter) ?? letter) : word
}

/**
 * Ways to find a column, the most reliable first. Only the first two identify a header: prose may contain the words
 * too.
 */
const ways = ['is', 'begins', 'tells'] as const

/**
 * Guesses the column of each field from a header row. A column is used for one field only.
 * @param row normalised headings
 * @param wanted the fields to look for
 * @param taken columns that are already assigned
 */
export function guessColumns(
  row: string[],
  wanted: readonly Field[],
  taken: ReadonlySet<number> = new Set(),
): Map<Field, number> {
  return guess(row, wanted, taken, ways)
}

/** The number of fields with a usual heading in a row. */
export function countHeadings(row: string[]): number {
  return guess(row, fields, new Set(), ['is', 'begins']).size
}

function guess(
  row: string[],
  wanted: readonly Field[],
  taken: ReadonlySet<number>,
  tried: ReadonlyArray<(typeof ways)[number]>,
): Map<Field, number> {
  const found = new Map<Field, number>()
  const used = new Set(taken)
  for (const way of tried) {
    for (const field of wanted) {
      if (found.has(field)) continue
      const column =
        way === 'tells'
          ? row.findIndex(
              (cell, index) => !used.has(index) && tellingWords[field].test(cell) && !otherwise[field].test(cell),
            )
          : firstMatch(row, field, way === 'is', used)
      if (column === -1) continue
      found.set(field, column)
      used.add(column)
    }
  }
  return found
}

function firstMatch(row: string[], field: Field, isExact: boolean, used: ReadonlySet<number>): number {
  for (const candidate of headings[field]) {
    if (candidate.endsWith('*') === isExact) continue
    const column = isExact
      ? row.findIndex((cell, index) => !used.has(index) && cell === candidate)
      : row.findIndex(
          (cell, index) => !used.has(index) && cell.startsWith(candidate.slice(0, -1)) && !otherwise[field].test(cell),
        )
    if (column !== -1) return column
  }
  return -1
}
