import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPriceFile } from './open-price-file.js'
import type { PriceFileError } from './price-file-error.js'

/*
 * Real lists of real suppliers, which are not part of this repository. Expected rows, cells and samples come from
 * independent readers (SheetJS, Python's csv, the UnRAR engine).
 */
const data = process.env.PARTSBUS_DATA ?? join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data')
const here = existsSync(data) ? describe : describe.skip
if (!existsSync(data)) process.stderr.write(`Real price lists are skipped: there is no folder ${data}\n`)

let folder: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-real-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Seen {
  rows: number
  cells: number
  at: (row: number, column: number) => string | undefined
  form: string | null
}

async function read(file: string): Promise<Seen> {
  count += 1
  const own = join(folder, String(count))
  mkdirSync(own)
  const opened = await openPriceFile(join(data, file), file, own)
  const rows = new Map<number, string[]>()
  for await (const { first, rows: block } of opened.blocks)
    for (const [index, row] of block.entries()) rows.set(first + index, row)
  const cells = [...rows.values()].flat().filter((cell) => cell !== '').length
  return {
    rows: rows.size,
    cells,
    at: (row, column) => rows.get(row)?.[column - 1],
    form: opened.encoding ?? opened.sheet,
  }
}

type Sample = [row: number, column: number, text: string]

here('real lists', () => {
  it.each<[string, number, number, string, Sample[]]>([
    ['pricelists/us-parts/прайс.xls', 13_716, 82_296, 'TDSheet', [[1, 2, 'Номер детали']]],
    ['pricelists/tyres/tires_rest.xlsx', 4_997, 77_452, 'Лист1', []],
    ['pricelists/tyres/tyres.xlsx', 246, 1_358, 'Sheet1', []],
    ['pricelists/tyres/winter_tyres.xlsx', 371, 1_829, 'Sheet1', []],
    ['pricelists/tyres/Шины_лето.xls', 246, 1_204, 'Sheet1', [[1, 2, 'Прайс-лист']]],
    ['pricelists/tyres/Остаки_камера.xls', 32, 134, 'Sheet1', [[1, 2, 'Прайс-лист']]],
    ['pricelists/kharkiv-tyres/price.2025-03-31.xlsx', 2_490, 14_839, 'TDSheet', []],
    [
      'pricelists/sport-nutrition/прайс snt.csv',
      63,
      189,
      'windows-1251',
      [
        [1, 1, 'SNT CoQ10 Softgel 100mg 60капс'],
        [1, 2, '2190'],
        [1, 3, '1781'],
      ],
    ],
    ['pricelists/sport-nutrition/price.xlsx', 66, 198, 'Лист_1', []],
    [
      'pricelists/aggregator/pricetepark.v1.xlsx',
      5,
      25,
      'Лист1',
      [
        [1, 1, 'Код'],
        [1, 5, 'Наличие'],
      ],
    ],
    ['derived/text/tires_rest.cp1251.csv', 4_997, 77_452, 'windows-1251', []],
    ['derived/text/price.2025-03-31.utf16le.txt', 2_490, 14_839, 'utf-16le', []],
    ['derived/text/winter_tyres.utf8-bom.csv', 371, 1_829, 'utf-8', []],
    ['derived/archives/rar5-one-csv.rar', 63, 189, 'windows-1251', [[1, 2, '2190']]],
    ['derived/archives/rar4-one-csv.rar', 63, 189, 'windows-1251', [[1, 2, '2190']]],
    ['derived/archives/rar4-one-xls.rar', 32, 134, 'Sheet1', []],
    ['derived/archives/rar5-one-xlsx-in-folder.rar', 5, 25, 'Лист1', []],
    ['derived/archives/zip-one-csv-cp866-name.zip', 63, 189, 'windows-1251', []],
    ['derived/archives/zip-one-csv-utf8-name.zip', 63, 189, 'windows-1251', []],
    ['derived/archives/zip-one-xls-stored.zip', 32, 134, 'Sheet1', []],
    ['derived/wrong-extension/xlsx-inside.xls', 5, 25, 'Лист1', []],
    ['spreadsheets/calamine/issue_174.xlsx', 5, 22, 'Sheet1', []],
    ['spreadsheets/calamine/sst_continue.xls', 136, 136, 'Sheet1', []],
    ['spreadsheets/calamine/strict_iso_paths.xlsx', 76, 1_368, 'ml_out', []],
    ['spreadsheets/calamine/nonstandard-xml-ns-prefix.xlsx', 3, 6, 'Sheet1', []],
    ['spreadsheets/calamine/date_1904.xls', 3, 6, 'Sheet1', [[1, 1, '2021-01-01']]],
    ['spreadsheets/calamine/date_1904.xlsx', 3, 6, 'Sheet1', [[1, 1, '2021-01-01']]],
    ['spreadsheets/calamine/malformed_format.xls', 38, 683, '2014', []],
  ])(
    '%s: %i rows, %i cells',
    async (file, rows, cells, form, samples) => {
      const seen = await read(file)
      expect({ rows: seen.rows, cells: seen.cells, form: seen.form }).toEqual({ rows, cells, form })
      for (const [row, column, text] of samples) expect(seen.at(row, column)).toBe(text)
    },
    60_000,
  )

  it('articles whose zeros exist only in the format keep them', async () => {
    const { blocks } = await openPriceFile(join(data, 'pricelists/us-parts/прайс.xls'), 'прайс.xls', folder)
    const articles: string[] = []
    for await (const { rows } of blocks) for (const row of rows) articles.push(row[1] ?? '')
    expect(articles).toContain('01016600')
    expect(articles.filter((article) => /e\+/i.test(article))).toEqual([])
  }, 60_000)

  it.each([
    ['derived/archives/rar4-truncated.rar', 'DAMAGED'],
    ['derived/archives/rar5-bad-crc.rar', 'DAMAGED'],
    ['derived/archives/rar5-no-files.rar', 'NOT_ONE_FILE'],
    ['derived/archives/rar5-two-price-lists.rar', 'NOT_ONE_FILE'],
    ['derived/archives/zip-encrypted-zipcrypto.zip', 'ENCRYPTED'],
    ['derived/archives/zip-in-zip.zip', 'NOT_ONE_FILE'],
    ['derived/archives/zip-slip.zip', 'UNSAFE_NAME'],
    ['derived/archives/zip-absolute-path.zip', 'UNSAFE_NAME'],
    ['derived/archives/zip-truncated.zip', 'DAMAGED'],
    ['derived/wrong-extension/png-inside.csv', 'WRONG_KIND'],
    ['derived/wrong-extension/xlsx-inside.csv', 'WRONG_KIND'],
    ['derived/wrong-extension/csv-inside.xlsx', 'WRONG_KIND'],
    ['derived/wrong-extension/xls-inside.xlsx', 'WRONG_KIND'],
    ['derived/wrong-extension/zip-inside.rar', 'WRONG_KIND'],
    ['derived/wrong-extension/rar5-inside.zip', 'WRONG_KIND'],
    ['derived/wrong-extension/zero-bytes.csv', 'EMPTY'],
    ['archives/rarfile/rar5-hpsw.rar', 'ENCRYPTED'],
    ['archives/rarfile/rar5-vols.part1.rar', 'DAMAGED'],
    ['archives/rarfile/rar5-evil-symlink-traversal.rar', 'NOT_ONE_FILE'],
    ['spreadsheets/calamine/issue_385.xls', 'ENCRYPTED'],
    ['spreadsheets/calamine/OOM_alloc3.xls', 'DAMAGED'],
    ['spreadsheets/calamine/empty_sheet.xlsx', 'NO_SHEET'],
  ])('%s is refused: %s', async (file, problem) => {
    const failure = await read(file).then(
      () => undefined,
      (error: PriceFileError) => error,
    )
    expect(failure?.problem).toBe(problem)
    expect(failure?.message).toMatch(/^[A-Z].*\.$/)
  })
})
