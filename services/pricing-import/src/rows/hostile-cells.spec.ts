import { describe, expect, it } from '@jest/globals'
import { findDelimiter } from '@partsbus/price-file/delimiter'
import { type ReadingRules, RowReader } from './row-reader.js'

const LENGTH = 100_000
const ALLOWED_MS = 200
const HEADER = ['Бренд', 'Артикул', 'Наименование', 'Количество', 'Цена', 'Срок']
const GOOD = ['KYB', '332247', 'Стойка', '4', '15', '3']
const rules: ReadingRules = { format: {}, markup_percent: 0, delivery_days: null }

// two marks of different classes are put into order, which takes time by the square of their number
const repeated = [...' \u00a0\t0,.;"\'aж+-%>(=/\u0301\n\u{1f600}', '\u0301\u0316', '1 ', '1,', '""', 'руб ', ' \t']
const cells = repeated.flatMap((unit) => {
  const run = unit.repeat(LENGTH / unit.length)
  return ['', '5', 'a'].flatMap((before) => ['', 'x', '1', '\n'].map((after) => `${before}${run}${after}`))
})

/** Processor time, since a busy machine takes its turns. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

describe('cells of 100,000 characters', () => {
  // rules.md#reading
  it.each(HEADER.map((name, column) => ({ name, column })))('are read in time in column $name', ({ column }) => {
    const slow = cells.filter((cell) => {
      const row = GOOD.map((good, index) => (index === column ? cell : good))
      const reader = new RowReader(rules, { importable: () => undefined, skipped: () => undefined })
      const ms = processorMs(() => {
        reader.push({ first: 1, rows: [HEADER, row] })
        reader.finish()
      })
      return ms > ALLOWED_MS
    })
    expect(slow.map((cell) => JSON.stringify(cell.slice(0, 10)))).toEqual([])
  })

  it('are split in time, whatever the delimiter', () => {
    const slow = cells.flatMap((cell) =>
      [';', '\t', ',', '|'].filter((delimiter) => {
        const text = `a${delimiter}b\n1${delimiter}${cell}${delimiter}2\n`.slice(0, 65_536)
        return processorMs(() => findDelimiter(text, true)) > ALLOWED_MS
      }),
    )
    expect(slow).toEqual([])
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
