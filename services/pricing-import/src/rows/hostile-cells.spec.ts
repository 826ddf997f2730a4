import { describe, expect, it } from '@jest/globals'
import { findDelimiter } from '@partsbus/price-file/delimiter'
import { CELL_MS, HEADER, hostileRuns, processorMs, rowWith } from '../testing/hostile-cells.js'
import { type ReadingRules, RowReader } from './row-reader.js'

const rules: ReadingRules = { format: {}, markup_percent: 0, delivery_days: null }
const cells = hostileRuns.flatMap((run) =>
  ['', '5', 'a'].flatMap((before) => ['', 'x', '1', '\n'].map((after) => `${before}${run}${after}`)),
)

/** @returns the beginnings of the cells that take too long */
async function slowOf(candidates: string[], work: (cell: string) => unknown): Promise<string[]> {
  const slow: string[] = []
  for (const cell of candidates)
    if ((await processorMs(() => work(cell), CELL_MS)) > CELL_MS) slow.push(JSON.stringify(cell.slice(0, 10)))
  return slow
}

function read(rows: string[][], format: ReadingRules['format'] = {}): number {
  let read = 0
  const count = (): void => void (read += 1)
  const reader = new RowReader({ ...rules, format }, { importable: count, skipped: count })
  reader.push({ first: 1, rows })
  reader.finish()
  return read
}

describe('cells of 100,000 characters', () => {
  const columns = HEADER.map((name, column) => ({ name, column }))

  // rules.md#reading
  it.each(columns)('are read in time in column $name', async ({ column }) => {
    expect(await slowOf(cells, (cell) => read([HEADER, rowWith(cell, column)]))).toEqual([])
  })

  it.each(columns)('are compared in time with the ignored values of column $name', async ({ column }) => {
    const field = (['brand', 'article', 'name', 'quantity', 'price', 'delivery_days'] as const)[column]!
    const format = { ignore_values: { [field]: ['нет', '5*', 'a*', ' *'] } }
    expect(await slowOf(cells, (cell) => read([HEADER, rowWith(cell, column)], format))).toEqual([])
  })

  it('are passed over in time in a header, and in rows above it', async () => {
    const head = (cell: string) => HEADER.map((name) => `${name}${cell}`)
    expect(await slowOf(cells, (cell) => read([head(cell), HEADER, rowWith('4', 3)], { skip_rows: 1 }))).toEqual([])
    expect(await slowOf(cells, (cell) => read([[...HEADER, ...head(cell)], rowWith('4', 3)]))).toEqual([])
  })

  it('are split in time, whatever the delimiter', async () => {
    for (const delimiter of [';', '\t', ',', '|']) {
      const split = (cell: string) => findDelimiter(`a${delimiter}b\n1${delimiter}${cell}`.slice(0, 65_536), true)
      expect(await slowOf(cells, split)).toEqual([])
    }
  })
})

it.each<[number, number]>([
  [100, 1],
  [101, 0],
])('a price of %d characters gives %d offers (rules.md#reading)', (length, offers) => {
  let importable = 0
  const reader = new RowReader(rules, { importable: () => (importable += 1), skipped: () => undefined })
  reader.push({ first: 1, rows: [HEADER, ['KYB', '332247', 'x', '4', `15${' '.repeat(length - 5)}руб`, '']] })
  reader.finish()
  expect(importable).toBe(offers)
})
