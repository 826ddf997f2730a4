import { describe, expect, it } from '@jest/globals'
import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import { writeCsv } from './csv.js'
import { exportWords } from './export-words.js'
import { skippedRows, withReason } from './skipped-rows.js'

const row = (at: number, ...cells: string[]): SkippedRow => ({
  row: at,
  code: 'BAD_PRICE',
  message: 'The price is not understood.',
  cells,
})
const reason = (at: number): string => `${at};BAD_PRICE;The price is not understood.\r\n`

it('a skipped row keeps its cells in their columns, with the reason behind all columns', () => {
  const columns = [3, 'BAD_PRICE', 'The price is not understood.']
  expect(withReason(row(3, 'a', 'b'), 4)).toEqual(['a', 'b', '', '', ...columns])
  expect(withReason(row(3, 'a', 'b', 'c'), 2)).toEqual(['a', 'b', 'c', ...columns])
})

it('a skipped row of one of several sheets says on which sheet it is (admin.md#all-sheets)', () => {
  expect(withReason({ ...row(14, 'a'), sheet: 'Лист2', sheet_row: 4 }, 1)).toEqual([
    'a',
    'Лист2!4',
    'BAD_PRICE',
    'The price is not understood.',
  ])
})

describe('all skipped rows', () => {
  const read =
    (rows: SkippedRow[], most = Infinity) =>
    async (after: number, limit: number) =>
      rows.filter((one) => one.row > after).slice(0, Math.min(limit, most))
  const all = async (
    read: Parameters<typeof skippedRows>[0],
    header: Parameters<typeof skippedRows>[1],
    delimiter?: string,
  ): Promise<string> => {
    let text = ''
    for await (const piece of writeCsv(skippedRows(read, header, exportWords(undefined).reasonColumns), {
      delimiter,
    }))
      text += piece
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
  it.each([Infinity, 100, 1])('come page by page, each once and in order; %d rows are read at once', async (most) => {
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
    const lines = writeCsv(
      skippedRows(
        async (after, limit) => {
          asked += 1
          return read(rows)(after, limit)
        },
        null,
        [],
      ),
    )
    await lines.next()
    expect(asked).toBe(1)
    await lines.return(undefined)
  })
})
