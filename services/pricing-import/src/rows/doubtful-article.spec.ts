import { describe, expect, it } from '@jest/globals'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { ColumnsNotFound } from './layout.js'
import { RowReader } from './row-reader.js'

const HEAD = '№ по каталогу;Наименование;Цена;Остаток'
const BRAND: PriceListFormat = { columns: { brand: { value: 'KAMA' } } }

/** A list of so many goods with these articles, each under a heading of its group; further goods have none. */
const list = (goods: number, articles: string[]): string[] => [
  HEAD,
  ...Array.from({ length: goods }, (_, at) => [';Шины летние;;', `${articles[at] ?? ' '};Шина ${at};100;4`]).flat(),
]

/** The refusal, or how many rows are importable. */
function read(
  rows: string[],
  format: PriceListFormat,
  is_draft = true,
  sheet?: string,
): number | ColumnsNotFound['columns'] {
  let importable = 0
  const reader = new RowReader(
    { format, markup_percent: 0, delivery_days: null, is_draft },
    { importable: () => (importable += 1), skipped: () => undefined },
  )
  try {
    const cells = rows.map((row) => row.split(';'))
    reader.push({ first: 1, rows: cells, ...(sheet !== undefined && { sheet: { name: sheet, offset: 0 } }) })
    reader.finish()
    return importable
  } catch (error) {
    if (error instanceof ColumnsNotFound) return error.columns
    throw error
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `K-${at}`)
const remarks = (count: number) => Array.from({ length: count }, (_, at) => (at % 4 === 0 ? '75 см' : 'для грузовых'))
const refused = expect.objectContaining({ code: 'ARTICLES_DOUBTFUL', missing: ['article'] })

describe('a column whose heading means the article is not proposed (admin.md#doubtful-article)', () => {
  it.each<[string, string[], number | typeof refused]>([
    ['when it is blank in more than three of four goods', list(40, numbers(9)), refused],
    ['but when it is not', list(40, numbers(10)), 10],
    ['when most of its cells have no digit', list(40, remarks(40)), refused],
    ['but when half of them have one', list(40, [...numbers(20), ...remarks(1), ...remarks(1)]), 22],
    ['but when the list is too short to tell', list(19, []), 0],
  ])('%s', (_name, rows, result) => {
    expect(read(rows, BRAND)).toEqual(result)
  })

  it('but when it was chosen, or nobody can choose another one', () => {
    const rows = list(40, numbers(3))
    expect(read(rows, { columns: { ...BRAND.columns, article: 1 } })).toBe(3)
    expect(read(rows, BRAND, false)).toBe(3)
  })

  it('and all columns that are missing are named at once', () => {
    expect(read(list(40, numbers(3)), {})).toMatchObject({
      code: 'ARTICLES_DOUBTFUL',
      missing: ['article', 'brand'],
      layout: { columns: { article: [], name: [1], quantity: [3] } },
    })
  })

  it.each<[string, PriceListFormat, string[]]>([
    ['with a brand', BRAND, ['article']],
    ['without a brand', {}, ['article', 'brand']],
    ['with a column that the file lacks', { columns: { brand: 'Марка' } }, ['article', 'brand']],
  ])('of all sheets %s as of one', (_name, format, missing) => {
    const rows = list(40, remarks(40))
    for (const sheet of [undefined, 'Лист1'])
      expect(read(rows, format, true, sheet)).toMatchObject({ code: 'ARTICLES_DOUBTFUL', missing })
  })
})
