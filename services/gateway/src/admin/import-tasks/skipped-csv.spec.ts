import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import { skippedLines } from './download-skipped.js'
import { csvLine, skippedLine } from './skipped-csv.js'

const row = (at: number, ...cells: string[]): SkippedRow => ({
  row: at,
  code: 'BAD_PRICE',
  message: 'The price is not understood.',
  cells,
})
const reason = (at: number): string => `${at};BAD_PRICE;The price is not understood.\r\n`

describe('a line of the CSV', () => {
  const cells: Array<[cell: string, written: string]> = [
    ['BOSCH', 'BOSCH'],
    ['', ''],
    ['a;b', '"a;b"'],
    ['13"', '"13"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' x', '" x"'],
    ['x ', '"x "'],
    ['\u00a0', '"\u00a0"'],
    ['Колодки', 'Колодки'],
  ]
  it.each(cells)('%j is written %j', (cell, written) => {
    expect(csvLine([cell, 'end'])).toBe(`${written};end\r\n`)
  })
  const formulas: Array<[cell: string, written: string]> = [
    ['=1+1', "'=1+1"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['+SUM(A1)', "'+SUM(A1)"],
    ['@x', "'@x"],
    ['-2+3', "'-2+3"],
    ['-ABC', "'-ABC"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=1;2', '"\'=1;2"'],
    ['-5', '-5'],
    ['+7 343 000', '+7 343 000'],
    ['-1 234,50', '-1 234,50'],
    ['-1\u00a0234.50', '-1\u00a0234.50'],
    ['-', '-'],
    ['a=1', 'a=1'],
  ]
  it.each(formulas)('a spreadsheet may not run %j: %j', (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`)
  })
  it('a skipped row keeps its cells where they stood, with the reason behind all columns', () => {
    expect(skippedLine(row(3, 'a', 'b'), 4)).toBe(`a;b;;;${reason(3)}`)
    expect(skippedLine(row(3, 'a', 'b', 'c'), 2)).toBe(`a;b;c;${reason(3)}`)
  })
})

describe('all skipped rows', () => {
  const read =
    (rows: SkippedRow[], most = Infinity) =>
    async (after: number, limit: number) => {
      if (limit > most) throw new AppError('TOO_LARGE', 'too large')
      return rows.filter((one) => one.row > after).slice(0, limit)
    }
  const all = async (...given: Parameters<typeof skippedLines>): Promise<string> => {
    let text = ''
    for await (const piece of skippedLines(...given)) text += piece
    return text
  }
  it('begin with the byte order mark, and the header where the file had one', async () => {
    expect(await all(read([row(2, 'x', 'y')]), { row: 1, cells: ['Бренд', 'Артикул', 'Цена'] })).toBe(
      `\uFEFFБренд;Артикул;Цена;skipped_row;skipped_code;skipped_message\r\nx;y;;${reason(2)}`,
    )
    expect(await all(read([row(1, 'x')]), null)).toBe(`\uFEFFx;${reason(1)}`)
  })
  it.each(['\t', ',', '|'])('are divided as the list is read: %j', async (delimiter) => {
    const cells = ['1,5', 'a;b', 'c\td', 'e|f']
    const written = cells
      .map((cell) => (cell.includes(delimiter) || cell.includes(';') ? `"${cell}"` : cell))
      .join(delimiter)
    const head = ['a', 'b', 'c', 'd', 'skipped_row', 'skipped_code', 'skipped_message'].join(delimiter)
    expect(await all(read([row(2, ...cells)]), { row: 1, cells: ['a', 'b', 'c', 'd'] }, delimiter)).toBe(
      `\uFEFF${head}\r\n${written}${delimiter}${reason(2).replaceAll(';', delimiter)}`,
    )
  })
  it('of which there are none', async () => {
    expect(await all(read([]), { row: 1, cells: ['a'] })).toBe('\uFEFFa;skipped_row;skipped_code;skipped_message\r\n')
    expect(await all(read([]), null)).toBe('\uFEFF')
  })
  it('keeps the rows above the header, so that a list with `skip_rows` can read the file', async () => {
    expect(await all(read([row(1, 'Price of'), row(2), row(5, 'x', 'y')]), { row: 3, cells: ['a', 'b'] })).toBe(
      `\uFEFFPrice of;;${reason(1)};;${reason(2)}a;b;skipped_row;skipped_code;skipped_message\r\nx;y;${reason(5)}`,
    )
    expect(await all(read([row(1, 'x')]), { row: 3, cells: ['a'] })).toBe(
      `\uFEFFx;${reason(1)}a;skipped_row;skipped_code;skipped_message\r\n`,
    )
  })
  it.each([Infinity, 100, 1])('come page by page, each once and in order; %d rows fit a message', async (most) => {
    const rows = Array.from({ length: 1_203 }, (_, at) => row(at * 3 + 2, String(at)))
    const text = await all(read(rows, most), { row: 1, cells: ['n'] })
    expect(
      text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(';')[0]),
    ).toEqual(rows.map(({ cells }) => cells[0]))
  })
  it('reads a page when the previous one was consumed', async () => {
    let asked = 0
    const rows = Array.from({ length: 5_000 }, (_, at) => row(at + 1, 'x'))
    const lines = skippedLines(async (after, limit) => {
      asked += 1
      return read(rows)(after, limit)
    }, null)
    await lines.next()
    await lines.next()
    expect(asked).toBe(1)
    await lines.return(undefined)
  })
})
