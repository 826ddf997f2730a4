import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplicates, DuplicateIndex } from './duplicate-index.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-keys-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Adds `rows` keys, `different` of them distinct. @returns the index and its expected results */
function filled(rows: number, different: number): { index: DuplicateIndex; duplicates: number[]; names: Set<string> } {
  const index = new DuplicateIndex(folder, { held: 256 })
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
    expect(index.findDuplicates((row) => reported.push(row), 'none')).toBe(names.size)
    expect(reported.sort((a, b) => a - b)).toEqual(duplicates.sort((a, b) => a - b))
    expect(readdirSync(folder).length > 0).toBe(isWritten)
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
  })

  it('finds keys afterwards', () => {
    const { index } = filled(20_000, 10_007)
    index.findDuplicates(() => undefined, 'all')
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
    expect(index.findDuplicates((row) => reported.push(row), 'none')).toBe(2)
    expect(reported).toEqual([1])
  })

  it.each<[Duplicates, Array<[row: number, by: number]>]>([
    [
      'last',
      [
        [1, 2],
        [2, 3],
        [3, 5],
      ],
    ],
    [
      'first',
      [
        [2, 1],
        [3, 1],
        [5, 1],
      ],
    ],
    [
      'cheapest',
      [
        [1, 2],
        [3, 2],
        [2, 5],
      ],
    ],
  ])('of several rows with one key the %s one stays', (duplicates, expected) => {
    const index = new DuplicateIndex(folder, { duplicates, held: 2 })
    const ranks = [30, 10.5, 20, 1, 10.5]
    ranks.forEach((rank, at) => index.add(at === 3 ? 'Other' : 'A', 'B', at + 1, rank))
    const reported: Array<[number, number]> = []
    expect(index.findDuplicates((row, by) => reported.push([row, by]), 'none')).toBe(2)
    expect(reported).toEqual(expected)
  })

  it('knows the rank of the row that stays, also of keys that were written to disk', () => {
    const index = new DuplicateIndex(folder, { duplicates: 'first', keepRanks: true, held: 16 })
    for (let row = 1; row <= 5_000; row += 1) index.add('A', String(row % 4_000), row, row + 0.25)
    expect(index.findDuplicates(() => undefined, 'all')).toBe(4_000)
    expect([index.rankOf('A', '1'), index.rankOf('A', '3999'), index.rankOf('B', '1')]).toEqual([1.25, 3_999.25, null])
  })

  it('keeps a part of the keys, and says of which keys it knows nothing', () => {
    const index = new DuplicateIndex(folder, { keepRanks: true })
    for (let row = 1; row <= 8_000; row += 1) index.add('A', String(row), row, row)
    index.findDuplicates(() => undefined, 8)
    const known = Array.from({ length: 8_000 }, (_, at) => index.rankOf('A', String(at + 1))).filter(
      (rank) => rank !== undefined,
    )
    expect(known.length).toBeGreaterThan(500)
    expect(known.length).toBeLessThan(2_000)
    expect(known).not.toContain(null)
  })
})
