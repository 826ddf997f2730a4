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

/** Adds `rows` keys, `different` of them distinct. @returns the index and its expected results */
function filled(rows: number, different: number): { index: DuplicateIndex; duplicates: number[]; names: Set<string> } {
  const index = new DuplicateIndex(folder, 256)
  const last = new Map<string, number>()
  const duplicates: number[] = []
  for (let row = 2; row < rows + 2; row += 1) {
    const article = String((row * 7_919) % different)
    index.add(`B${Number(article) % 7}`, article, row)
    const before = last.get(article)
    if (before !== undefined) duplicates.push(before)
    last.set(article, row)
  }
  return { index, duplicates, names: new Set(last.keys()) }
}

describe('DuplicateIndex', () => {
  it.each([
    [0, 1, false],
    [1, 1, false],
    [10_000, 7_001, false],
    [40_000, 30_011, true],
    [30_000, 3, true],
  ])('reports the replaced rows of %d rows with %d keys (written to disk: %s)', (rows, different, isWritten) => {
    const { index, duplicates, names } = filled(rows, different)
    const reported: number[] = []
    expect(index.findDuplicates((row) => reported.push(row), false)).toBe(names.size)
    expect(reported.sort((a, b) => a - b)).toEqual(duplicates.sort((a, b) => a - b))
    expect(readdirSync(folder).length > 0).toBe(isWritten)
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
  })

  it('finds keys afterwards', () => {
    const { index } = filled(20_000, 10_007)
    index.findDuplicates(() => undefined, true)
    expect([index.has('B1', '8'), index.has('B2', '8'), index.has('B0', '10006'), index.has('B0', '10007')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(10_006 % 7).toBe(3)
    expect(index.has('B3', '10006')).toBe(true)
  })

  it('distinguishes keys that differ only in where the brand ends', () => {
    const index = new DuplicateIndex(folder)
    index.add('AB', 'C', 1)
    index.add('A', 'BC', 2)
    index.add('AB', 'C', 3)
    const reported: number[] = []
    expect(index.findDuplicates((row) => reported.push(row), false)).toBe(2)
    expect(reported).toEqual([1])
  })
})
