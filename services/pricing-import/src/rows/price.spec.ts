import { describe, expect, it } from '@jest/globals'
import { findMark } from './number-text.js'
import { readPrice, withMarkup } from './price.js'

describe('a price cell', () => {
  it.each<[string, number | null | string]>([
    ['1234', 1234],
    ['1 234,50 руб', 1234.5],
    ['1\u00a0234,50\u00a0руб.', 1234.5],
    ['1\u202f234\u202f567,8 ₽', 1_234_567.8],
    ['2.500,54', 2500.54],
    ['1,234.50', 1234.5],
    ['1,234,567', 1_234_567],
    ['1.234.567,89', 1_234_567.89],
    ["1'234.50", 1234.5],
    ['1,234', 1234],
    ['10.125', 10.125],
    ['0,125', 0.125],
    ['1234,567', 1234.567],
    ['400.00', 400],
    ['12,5', 12.5],
    [',5', 0.5],
    ['$ 12.30', 12.3],
    ['12.30 USD', 12.3],
    ['€12,30', 12.3],
    ['100 р.', 100],
    ['55 грн', 55],
    ['0', 0],
    ['1\u2009234,50 р', 1234.5],
    ["CHF 1'234.50", 1234.5],
    ['1’234.50', 1234.5],
    ['руб. 100', 100],
    ['100 руб./шт', 100],
    ['100 р/шт.', 100],
    ['12,50 € за шт', 12.5],
    ['100,-', 100],
    ['1.234,- €', 1234],
    ['100=', 100],
    ['¥ 12', 12],
    ['12 у.е.', 12],
    ['12 BYN', 12],
    ['договорная', null],
    ['Договорная.', null],
    ['по  запросу', null],
    ['Call for price', null],
    ['−', null],
    ['‑', null],
    ['', null],
    ['  ', null],
    ['-', null],
    ['—', null],
    ['-5', 'NEGATIVE_PRICE'],
    ['−5', 'NEGATIVE_PRICE'],
    ['- 5,00 руб', 'NEGATIVE_PRICE'],
    ['0,1,2', 'BAD_PRICE'],
    ['1e309', 'BAD_PRICE'],
    ['=1+1', 'BAD_PRICE'],
    ['дёшево', 'BAD_PRICE'],
    ['12 34', 'BAD_PRICE'],
    ['12.', 'BAD_PRICE'],
    ['1.2.3', 'BAD_PRICE'],
    ['NaN', 'BAD_PRICE'],
    ['99999999999999', 'BAD_PRICE'],
    ['1,23.45', 'BAD_PRICE'],
  ])('%j is %j', (cell, price) => {
    expect(readPrice(cell)).toBe(price)
  })

  it.each<[string, ',' | '.', number]>([
    ['1,234', ',', 1.234],
    ['1.234', ',', 1234],
    ['1.234', '.', 1.234],
    ['1,234', '.', 1234],
    ['1234,567', '.', 1234.567],
  ])('%j in a column with decimal mark %j is %d', (cell, mark, price) => {
    expect(readPrice(cell, mark)).toBe(price)
  })

  it.each<[string, string | undefined]>([
    ['1,234.50', '.'],
    ['1.234,50', ','],
    ['12,5', ','],
    ['12.50', '.'],
    ['1,234', undefined],
    ['1234', undefined],
    ['1,234,567', undefined],
    ['', undefined],
  ])('%j implies the decimal mark %j', (cell, mark) => {
    expect(findMark(cell)).toBe(mark)
  })
})

describe('markup', () => {
  it.each([
    [100, 15, 115],
    [10.35, 10, 11.39],
    [1.15, 10, 1.27],
    [1.005, 0, 1.01],
    [99.99, 0, 99.99],
    [0.004, 0, 0],
    [0.0000001, 0, 0],
    [123_456_789.12, 7, 132_098_764.36],
    [100, -100, 0],
    [100, -33.3, 66.7],
    [5, 10_000, 505],
  ])('%d with %d%% is %d', (price, percent, result) => {
    expect(withMarkup(price, percent)).toBe(result)
  })
})
