import { describe, expect, it } from '@jest/globals'
import { csvLine } from './csv.js'

describe('a line of the CSV', () => {
  const cells: Array<[cell: string, written: string]> = [
    ['BOSCH', 'BOSCH'],
    ['', ''],
    ['a;b', '"a;b"'],
    ['13"', '"13"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' x', '" x"'],
    ['x ', '"x "'],
    ['\u00a0', '"\u00a0"'],
    ['Колодки', 'Колодки'],
  ]
  it.each(cells)('%j is written %j', (cell, written) => {
    expect(csvLine([cell, 'end'])).toBe(`${written};end\r\n`)
  })
  const formulas: Array<[cell: string, written: string]> = [
    ['=1+1', "'=1+1"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['+SUM(A1)', "'+SUM(A1)"],
    ['@x', "'@x"],
    ['-2+3', "'-2+3"],
    ['-ABC', "'-ABC"],
    ['\t=1', "'\t'=1"],
    ['\r=1', '"\'\r\'=1"'],
    ['=1;2', '"\'=1;2"'],
    ['-5', '-5'],
    ['+7 343 000', '+7 343 000'],
    ['-1 234,50', '-1 234,50'],
    ['-1\u00a0234.50', '-1\u00a0234.50'],
    ['-', '-'],
    ['a=1', 'a=1'],
    ['x,=1+1', "x,'=1+1"],
    ['x,=1,@y', "x,'=1,'@y"],
    ['x;+SUM(A1)', '"x;\'+SUM(A1)"'],
    ['x\n=1+1,', '"x\n\'=1+1,"'],
    ['x\t-A1', "x\t'-A1"],
    ['-1,2+A1', "'-1,2+A1"],
    ['M6,-20,+5.5', 'M6,-20,+5.5'],
  ]
  it.each(formulas)('a spreadsheet may not run %j: %j (admin.md#offer-files)', (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`)
  })
  it('has numbers with a point, and nothing for an absent value', () => {
    expect(csvLine([1234.5, null, -5])).toBe('1234.5;;-5\r\n')
  })
  it('has numbers with a decimal comma, and texts as they are (admin.md#export-language)', () => {
    const style = { decimalMark: ',' } as const
    expect(csvLine([1234.5, -99.87, 4, '12.50', '1.5.26'], style)).toBe('1234,5;-99,87;4;12.50;1.5.26\r\n')
    expect(csvLine([0.05, 'x'], { ...style, delimiter: ',' })).toBe('"0,05",x\r\n')
  })
})
