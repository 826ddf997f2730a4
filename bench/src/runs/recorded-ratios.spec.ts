import { describe, expect, it } from '@jest/globals'
import type { Figure } from '../figures/measure.js'
import { compareRatios, keepBetter, selectRatios } from './recorded-ratios.js'

const figure = (what: string, value: number): Figure => ({
  what,
  value,
  unit: '×',
  goal: '≥ 0.8',
  reached: true,
  detail: '',
})

describe('selectRatios', () => {
  it('selects the ratios that should be high, and no others', () => {
    const figures = [
      { ...figure('products created', 0.9), unit: '× the speed by hand' },
      { ...figure('peak memory', 1.03), goal: '≤ 1.2' },
      { ...figure('gateway adds', 0.39), unit: 'ms' },
    ]
    expect([...selectRatios(figures)]).toEqual([['products created', 0.9]])
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
