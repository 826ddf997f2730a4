import { expect, it } from '@jest/globals'
import { form, plural } from './plural.js'

const rows = (count: number) => plural.ru(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' })

it.each([
  [1, '1 строка'],
  [2, '2 строки'],
  [5, '5 строк'],
  [11, '11 строк'],
  [21, '21 строка'],
  [1.5, '1,5 строки'],
])('words %d rows in Russian as "%s"', (count, words) => {
  expect(rows(count)).toBe(words)
})

it('groups the digits of a long count by the language', () => {
  expect(rows(184_020)).toBe('184\u00a0020 строк')
  expect(plural.en(184_020, { one: 'row', other: 'rows' })).toBe('184,020 rows')
})

it('words one row and many rows in English', () => {
  expect(plural.en(1, { one: 'row', other: 'rows' })).toBe('1 row')
  expect(plural.en(0, { one: 'row', other: 'rows' })).toBe('0 rows')
})

it('answers the form without the number', () => {
  expect(form.ru(3, { one: 'ждёт', few: 'ждут', many: 'ждут', other: 'ждут' })).toBe('ждут')
})
