import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { createReaderPool } from '../reading/out-of-process-reader.js'
import { previewFile } from './preview-upload.js'

const DATA = process.env['PARTSBUS_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data')
const lists = existsSync(join(DATA, 'pricelists')) ? describe : describe.skip

type Case = [
  file: string,
  format: PriceListFormat,
  totals: [rows: number, importable: number],
  columns: object,
  first: object,
]

const tyres = { brand: 'APLUS', article: 'AP165H1', name: 'Шина Aplus A502 205/55 R16 91H', quantity: 46, price: 3680 }
const tyreColumns = { article: ['Q', 'A'], price: 'F', name: 'B' }
const kharkiv = { brand: 'Sonix', article: '00002055170', quantity: 9, price: 2816 }

const TYRES = [
  ...['Bridgestone', 'Continental', 'Cordiant', 'Goodyear', 'Hankook', 'Michelin', 'Pirelli', 'Toyo', 'Viatti'],
  ...['Aplus', 'Yokohama', 'Tunga', 'Matador', 'Formula', 'Amtel', 'Nexen', 'Kumho', 'Triangle', 'Sailun'],
]
  .map((canonical) => ({ canonical, synonyms: [] as string[] }))
  .concat({ canonical: 'NOKIAN TYRES', synonyms: ['Nokian'] }, { canonical: 'КАМА', synonyms: ['Кама-Евро'] })

/**
 * Rows without the header and without blank rows; goods, group rows and blank brands as the data's README counts them.
 */
const cases: Case[] = [
  [
    'pricelists/us-parts/прайс.xls',
    {},
    [13_715, 13_715],
    { brand: 1, article: 2, price: 6 },
    { brand: 'AAM', article: '15884292', quantity: 3, price: 70_125 },
  ],
  [
    'pricelists/us-parts/import_template.csv',
    {},
    [5, 5],
    { article: 2, brand: 8 },
    { brand: 'Mopar', article: '68191349AA', quantity: 10, price: 1200 },
  ],
  [
    'pricelists/us-parts/template_import_products.csv',
    {},
    [3, 3],
    { article: 2 },
    { brand: 'MOBIL', article: '550040295', quantity: 15 },
  ],
  [
    'pricelists/tyres/tires_rest.xlsx',
    { columns: tyreColumns },
    [4_993, 4_458],
    { article: [17, 1], brand: 10, quantity: 3 },
    tyres,
  ],
  [
    'derived/text/tires_rest.cp1251.csv',
    { columns: tyreColumns },
    [4_993, 4_458],
    { article: [17, 1], brand: 10, quantity: 3 },
    tyres,
  ],
  [
    'pricelists/tyres/winter_tyres.xlsx',
    { columns: { article: 2, brand: { value: 'Tyres' } } },
    [365, 364],
    { price: 3, quantity: 5, brand: { value: 'Tyres' } },
    { price: 3100, quantity: 5 },
  ],
  [
    'pricelists/tyres/Остаки_камера.xls',
    { columns: { article: 2, brand: { value: 'Tyres' } } },
    [26, 25],
    { price: 3, quantity: 5 },
    { brand: 'Tyres' },
  ],
  [
    'pricelists/kharkiv-tyres/price.2025-03-31.xlsx',
    {},
    [2_446, 1_758],
    { article: 1, brand: 2, quantity: 7, price: 8 },
    kharkiv,
  ],
  [
    'derived/text/price.2025-03-31.utf16le.txt',
    {},
    [2_446, 1_758],
    { article: 1, brand: 2, quantity: 7, price: 8 },
    kharkiv,
  ],
  [
    'pricelists/aggregator/pricetepark.v1.xlsx',
    {},
    [4, 4],
    { article: 1, brand: 2, quantity: 5 },
    { brand: 'ACDELCO', article: 'T915', quantity: 7, price: 400 },
  ],
  [
    'pricelists/sport-nutrition/прайс snt.csv',
    { header: false, columns: { article: 1, brand: { value: 'SNT' }, quantity: 2, price: 3 } },
    [63, 59],
    { article: 1 },
    { brand: 'SNT' },
  ],
  [
    'derived/archives/rar5-one-csv.rar',
    { header: false, columns: { article: 1, brand: { value: 'SNT' }, quantity: 2 } },
    [63, 59],
    {},
    { brand: 'SNT' },
  ],
  [
    'derived/archives/zip-one-csv-cp866-name.zip',
    { header: false, columns: { article: 1, brand: { value: 'SNT' }, quantity: 2 } },
    [63, 59],
    {},
    { brand: 'SNT' },
  ],
]

lists('real price lists (skipped where the data folder is missing)', () => {
  const readers = createReaderPool({ maxReaders: 1 })
  afterAll(() => readers.close())

  it.each(cases)(
    '%s',
    async (file, format, [rows, importable], columns, first) => {
      const result = await previewFile(
        { path: join(DATA, file), name: file, maxUnpacked: 1e9 },
        { format, markup_percent: 0, delivery_days: null },
        readers,
        (read) => Promise.resolve(read),
      )
      expect(result.totals).toEqual({ rows, importable, skipped: rows - importable })
      expect(result.columns).toMatchObject(columns)
      expect(result.rows[0]).toMatchObject(first)
      expect(result.doubtfulBrands).toBe(0)
    },
    120_000,
  )

  it.each<[string, PriceListFormat, [doubtfulBrands: number, unpriced: number]]>([
    ['pricelists/us-parts/прайс.xls', { columns: { brand: 2, article: 1 } }, [9_946, 0]],
    ['pricelists/tyres/tires_rest.xlsx', { columns: { article: ['Q', 'A'] } }, [0, 4_473]],
  ])('%s with %j is doubtful', async (file, format, [doubtfulBrands, unpriced]) => {
    const read = await previewFile(
      { path: join(DATA, file), name: file, maxUnpacked: 1e9 },
      { format, markup_percent: 0, delivery_days: null },
      readers,
      (result) => Promise.resolve(result),
    )
    expect(read).toMatchObject({ doubtfulBrands, unpriced })
  })

  // its column `№ по каталогу` has remarks (`матиз`, `75 см`), or nothing
  it.each(['tyres.xlsx', 'winter_tyres.xlsx', 'Шины_лето.xls'])(
    'of %s no column is proposed as the article',
    async (file) => {
      const read = await previewFile(
        { path: join(DATA, 'pricelists/tyres', file), name: file, maxUnpacked: 1e9 },
        { format: { columns: { brand: { value: 'X' } } }, markup_percent: 0, delivery_days: null, is_draft: true },
        readers,
        (result) => Promise.resolve(result),
      )
      expect(read.problem).toMatchObject({ code: 'ARTICLES_DOUBTFUL', missing: ['article'] })
      expect(read.columns).toEqual({ brand: { value: 'X' }, name: 2, price: 3, quantity: 5 })
    },
  )

  it('of all sheets of tyres.xlsx no column is proposed as the article either, also without a brand', async () => {
    const read = await previewFile(
      { path: join(DATA, 'pricelists/tyres/tyres.xlsx'), name: 'tyres.xlsx', maxUnpacked: 1e9 },
      { format: { sheet: 'all' }, markup_percent: 0, delivery_days: null, is_draft: true },
      readers,
      (result) => Promise.resolve(result),
    )
    expect(read.problem).toMatchObject({ code: 'ARTICLES_DOUBTFUL', missing: ['article', 'brand'] })
    expect(read.columns).toEqual({ name: 2, price: 3, quantity: 5 })
  })

  // rows without a brand of their own, and those in which a known one is found
  it.each<[string, PriceListFormat, goods: number, found: number]>([
    ['pricelists/tyres/tires_rest.xlsx', { columns: { ...tyreColumns, brand: { group: true } } }, 4_473, 4_249],
    ['pricelists/tyres/winter_tyres.xlsx', { columns: { article: ['A', 'B'], name: 'B' } }, 364, 261],
    ['pricelists/tyres/tyres.xlsx', { sheet: 'all', columns: { article: ['A', 'B'], name: 'B' } }, 737, 430],
  ])('brands of %s are found in headings and names (admin.md#known-brands)', async (file, format, goods, found) => {
    const { totals, skipped_by_code } = await previewFile(
      { path: join(DATA, file), name: file, maxUnpacked: 1e9 },
      { format: { ...format, known_brands: true }, markup_percent: 0, delivery_days: null, known_brands: TYRES },
      readers,
      (read) => Promise.resolve(read),
    )
    const rows = totals.rows - (skipped_by_code['GROUP_ROW'] ?? 0) - (skipped_by_code['REPEATED_HEADER'] ?? 0)
    expect([rows, rows - (skipped_by_code['NO_BRAND'] ?? 0)]).toEqual([goods, found])
  })
})
