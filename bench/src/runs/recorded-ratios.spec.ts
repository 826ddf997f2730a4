import { describe, expect, it } from '@jest/globals'
import type { Figure } from '../figures/measure.js'
import { compareRatios, keepBetter, readRatios } from './recorded-ratios.js'

const page = `
| What | Measured | Goal | Reached | Details |
|---|---|---|---|---|
| products created | 0.9 × the speed by hand | ≥ 0.8 | yes | 90.8 ms a batch; ratios 1, 0.91 |
| peak memory | 1.03 × | ≤ 1.2 | yes | 277 MB |
| gateway adds | 0.39 ms | ≥ 0.5 | yes | p99 2.51 |
`

const figure = (what: string, value: number): Figure => ({
  what,
  value,
  unit: '×',
  goal: '≥ 0.8',
  reached: true,
  detail: '',
})

describe('readRatios', () => {
  it('reads the ratios that should be high, and no others', () => {
    expect([...readRatios(page)]).toEqual([['products created', 0.9]])
  })
})

describe('compareRatios', () => {
  const recorded = new Map([['a', 1]])

  it('reports a ratio that fell by more than 15 %', () => {
    expect(compareRatios(recorded, [figure('a', 0.84)])).toEqual([
      { what: 'a', recorded: 1, measured: 0.84, isSlower: true },
    ])
  })

  it('accepts a ratio that fell by 15 % or rose', () => {
    expect(compareRatios(recorded, [figure('a', 0.85), figure('a', 2)]).map((one) => one.isSlower)).toEqual([
      false,
      false,
    ])
  })

  it('leaves out what was never recorded', () => {
    expect(compareRatios(recorded, [figure('b', 0.1)])).toEqual([])
  })
})

describe('keepBetter', () => {
  it('takes the higher of two measurements of one ratio', () => {
    const slow = { what: 'a', recorded: 1, measured: 0.5, isSlower: true }
    const fast = { what: 'a', recorded: 1, measured: 0.9, isSlower: false }
    const other = { what: 'b', recorded: 1, measured: 0.5, isSlower: true }
    expect(keepBetter([slow, other], [fast])).toEqual([fast, other])
    expect(keepBetter([fast], [slow])).toEqual([fast])
  })
})
