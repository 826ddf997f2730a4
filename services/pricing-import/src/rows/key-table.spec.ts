import { describe, expect, it } from '@jest/globals'
import { KeyTable } from './key-table.js'

describe('KeyTable', () => {
  it('tells the row that had a key before, through every growth', () => {
    const table = new KeyTable()
    const truth = new Map<string, number>()
    for (let row = 1; row <= 30_000; row += 1) {
      const [brand, article] = [`B${row % 7}`, String((row * 7919) % 20_011)]
      const key = `${brand} ${article}`
      expect(table.add(brand, article, row)).toBe(truth.get(key) ?? 0)
      truth.set(key, row)
    }
    expect(table.size).toBe(truth.size)
    expect(table.has('B1', '7919')).toBe(true)
    expect(table.has('B9', '7919')).toBe(false)
  })

  it('where the brand ends and the article begins is part of the key', () => {
    const table = new KeyTable()
    expect(table.add('AB', 'C', 1)).toBe(0)
    expect(table.add('A', 'BC', 2)).toBe(0)
    expect(table.add('AB', 'C', 3)).toBe(1)
  })
})
