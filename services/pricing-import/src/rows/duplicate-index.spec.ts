import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuplicateIndex } from './duplicate-index.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-keys-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Notes `rows` keys of which `different` are different, and what must come of it. */
function filled(rows: number, different: number): { log: DuplicateIndex; beaten: number[]; names: Set<string> } {
  const log = new DuplicateIndex(folder, 256)
  const last = new Map<string, number>()
  const beaten: number[] = []
  for (let row = 2; row < rows + 2; row += 1) {
    const article = String((row * 7_919) % different)
    log.add(`B${Number(article) % 7}`, article, row)
    const before = last.get(article)
    if (before !== undefined) beaten.push(before)
    last.set(article, row)
  }
  return { log, beaten, names: new Set(last.keys()) }
}

describe('DuplicateIndex', () => {
  it.each([
    [0, 1, false],
    [1, 1, false],
    [10_000, 7_001, false],
    [40_000, 30_011, true],
    [30_000, 3, true],
  ])(
    'of %d rows with %d keys it tells the rows that a later one beats (written out: %s)',
    (rows, different, isWritten) => {
      const { log, beaten, names } = filled(rows, different)
      const told: number[] = []
      expect(log.settle((row) => told.push(row), false)).toBe(names.size)
      expect(told.sort((a, b) => a - b)).toEqual(beaten.sort((a, b) => a - b))
      expect(readdirSync(folder).length > 0).toBe(isWritten)
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
    },
  )

  it('can be asked for keys afterwards', () => {
    const { log } = filled(20_000, 10_007)
    log.settle(() => undefined, true)
    expect([log.has('B1', '8'), log.has('B2', '8'), log.has('B0', '10006'), log.has('B0', '10007')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(10_006 % 7).toBe(3)
    expect(log.has('B3', '10006')).toBe(true)
  })

  it('where the brand ends and the article begins is part of the key', () => {
    const log = new DuplicateIndex(folder)
    log.add('AB', 'C', 1)
    log.add('A', 'BC', 2)
    log.add('AB', 'C', 3)
    const told: number[] = []
    expect(log.settle((row) => told.push(row), false)).toBe(2)
    expect(told).toEqual([1])
  })
})
