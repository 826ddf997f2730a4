import { describe, expect, it } from '@jest/globals'
import { endsWith, readTyped, splitValues } from './typed-values.js'

describe('splitValues', () => {
  it.each([
    ['GM', ['GM']],
    [' GM ,\tACDELCO;\r\nOpel ', ['GM', 'ACDELCO', 'Opel']],
    ['General Motors', ['General Motors']],
    [' , ', []],
  ])('splits %j', (text, values) => {
    expect(splitValues(text)).toEqual(values)
  })
})

describe('readTyped', () => {
  it('adds what the list does not have, once', () => {
    expect(readTyped('GM, Opel, GM', ['Opel'])).toEqual({ text: 'GM, Opel, GM', values: ['GM'] })
  })
})

describe('endsWith', () => {
  it.each([
    [['Opel', 'GM'], ['GM'], true],
    [['Opel'], [], true],
    [['Opel'], ['GM'], false],
    [['GM'], ['Opel', 'GM'], false],
    [['GM', 'Opel'], ['GM'], false],
  ])('%j ends with %j: %s', (values, typed, expected) => {
    expect(endsWith(values, { text: '', values: typed })).toBe(expected)
  })
})
