import { describe, expect, it } from '@jest/globals'
import { kit as english } from '../texts/en/kit.js'
import { kit as russian } from '../texts/ru/kit.js'
import { createFormats, parseNumber } from './formats.js'

const en = createFormats('en', english, 'UTC')
const ru = createFormats('ru', russian, 'Europe/Moscow')
const now = new Date('2026-11-22T12:00:00Z')
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('numbers', () => {
  it('writes prices by the language, with two decimals', () => {
    expect(en.amount(1234.5)).toBe('1,234.50')
    expect(plain(ru.amount(1234.5))).toBe('1 234,50')
  })

  it('writes differences with a sign, which is no hyphen, and two decimals', () => {
    expect([181.9, -99.87, 0].map(ru.difference)).toEqual(['+181,90', '−99,87', '0,00'])
    expect(en.difference(-12.5)).toBe('−12.50')
  })

  it('writes sizes in powers of ten', () => {
    expect(en.size(12_400_000)).toBe('12.4 MB')
    expect(plain(ru.size(4_100_000))).toBe('4,1 МБ')
    expect(en.size(812)).toBe('812 B')
  })

  it.each([
    ['1 234,5', 1234.5],
    ['1234.5', 1234.5],
    ['1,234.50', 1234.5],
    ['-3', -3],
    ['', undefined],
    ['12 pcs', Number.NaN],
  ])('reads "%s" as %d', (text, number) => {
    expect(parseNumber(text)).toBe(number)
  })
})

describe('a number in a field', () => {
  it('has the decimal mark of the language', () => {
    expect(['12.5', '-0.07', '12.', '50', '', '1.2.3', 'ten'].map(ru.shown)).toEqual([
      ...['12,5', '-0,07', '12,', '50', '', '1.2.3', 'ten'],
    ])
    expect(en.shown('12.5')).toBe('12.5')
  })

  it('is the stored one when it is typed again', () => {
    expect(['12,5', '12.5', '12,', '1 234,5'].map(ru.typed)).toEqual(['12.5', '12.5', '12.', '1 234,5'])
    // a comma separates thousands, too
    expect(['1,234.50', '1,5'].map(en.typed)).toEqual(['1,234.50', '1,5'])
  })
})

describe('times', () => {
  it.each([
    ['2026-11-22T11:59:58Z', 'just now'],
    ['2026-11-22T11:56:00Z', '4 min. ago'],
    ['2026-11-22T02:00:00Z', '10 hr. ago'],
    ['2026-11-22T12:30:00Z', 'in 30 min.'],
    ['2026-11-20T09:05:00Z', 'Nov 20, 2026, 9:05 AM'],
  ])('writes %s at noon as "%s"', (at, words) => {
    expect(plain(en.time(new Date(at), now))).toBe(words)
  })

  it('shows the zone of the person', () => {
    expect(ru.clock(now)).toBe('15:00')
    expect(ru.exactTime(now)).toContain('GMT+3')
  })
})
