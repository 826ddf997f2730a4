import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { utils, write } from '@e965/xlsx'
import { countXlsSheets, readXls } from './read-xls.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-xls-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet'
const cell = (attributes: string) => `<Cell${attributes}><Data ss:Type="String">x</Data></Cell>`
const put = (table: string): string => {
  const path = join(folder, 'p.xls')
  const sheet = `<Worksheet ss:Name="p"><Table>${table}</Table></Worksheet>`
  writeFileSync(path, `<?xml version="1.0"?><Workbook xmlns="${NAMESPACE}" xmlns:ss="${NAMESPACE}">${sheet}</Workbook>`)
  return path
}

const ROW = 'The sheet has a row whose number is not between 1 and 1048576.'
const COLUMN = 'The sheet has a cell beyond column XFD, the last of 16384.'

// a loop over so many rows or columns takes until the time limit of the reader, for a file of 300 bytes
it.each([
  ['a row', `<Row ss:Index="1000000000">${cell('')}</Row>`, ROW],
  ['the first row beyond the last one', `<Row ss:Index="1048577">${cell('')}</Row>`, ROW],
  ['a cell', `<Row>${cell(' ss:Index="2000000000"')}</Row>`, COLUMN],
  ['the first cell beyond the last column', `<Row>${cell(' ss:Index="16385"')}</Row>`, COLUMN],
  ['a cell after a merged one', `<Row>${cell(' ss:MergeAcross="2000000000"')}${cell('')}</Row>`, COLUMN],
  ['the format of columns', `<Column ss:Width="50" ss:Span="1000000000"/><Row>${cell('')}</Row>`, COLUMN],
])('a number of %s that no sheet has is refused at once', async (_, table, message) => {
  const path = put(table)
  // one after another: a rejection that nobody awaits yet fails the test
  for (const read of [() => readXls(path), () => readXls(path, { sheet: 'all' }), () => countXlsSheets(path)])
    await expect(read()).rejects.toMatchObject({ problem: 'DAMAGED', message })
})

it('the last row and the last column of a sheet are read, and formats of all columns', async () => {
  const last = `<Row ss:Index="1048576">${cell(' ss:Index="16384"')}</Row>`
  const path = put(`<Column ss:Span="16383"/><Row ss:Span="100000"/>${last}`)
  expect(await countXlsSheets(path)).toEqual([{ name: 'p', isVisible: true, rows: 1 }])
  let rows = 0
  for await (const block of (await readXls(path)).blocks) rows = block.first + block.rows.length - 1
  expect(rows).toBe(1_048_576)
})

/** A binary workbook with one linked cell whose link is said to end at another one. */
function putLink(lastRow: number, lastColumn: number): string {
  const sheet = utils.aoa_to_sheet([['x']])
  Object.assign(sheet['A1'] as object, { l: { Target: 'http://shop.example' } })
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'p')
  const bytes = write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer
  const record = bytes.indexOf(Buffer.from([0xb8, 0x01]))
  bytes.writeUInt16LE(lastRow, record + 6)
  bytes.writeUInt16LE(lastColumn, record + 10)
  const path = join(folder, 'link.xls')
  writeFileSync(path, bytes)
  return path
}

it('a link over more cells than a sheet has is refused at once', async () => {
  await expect(readXls(putLink(65_535, 65_535))).rejects.toMatchObject({ problem: 'DAMAGED' })
  expect((await readXls(putLink(65_535, 255))).sheets).toEqual(['p'])
})
