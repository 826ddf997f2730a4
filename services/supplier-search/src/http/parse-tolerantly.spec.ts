import { describe, expect, it } from '@jest/globals'
import { cpuMs } from '@partsbus/test-kit/durations'
import { parseTolerantly } from './parse-tolerantly.js'

const parse = (text: string) => parseTolerantly(Buffer.from(text), 'application/json')

describe('parseTolerantly', () => {
  it.each([
    ['[NaN, Infinity, -Infinity, -NaN]', [null, null, null, null]],
    ['{"price":NaN,"name":"NaN \\" Infinity"}', { price: null, name: 'NaN " Infinity' }],
    ['{"a":"\\\\","b":NaN}', { a: '\\', b: null }],
    ['[1,-2.5e-3,NaN]', [1, -0.0025, null]],
  ])('reads %s', (text, value) => {
    expect(parse(text)).toEqual(value)
  })

  it.each(['[NaNs]', '[xNaN', 'NaN"', '{NaN:1}'])('refuses %s', (text) => {
    expect(() => parse(text)).toThrow('The answer is not JSON in UTF-8 (its content type is application/json).')
  })

  it.each(['\\"', '"', '-N', '\\'])('reads 2 MiB of %j in linear time', async (unit) => {
    const spent = await cpuMs(() =>
      expect(() => parse(`NaN"${unit.repeat((2 * 1024 * 1024) / unit.length)}`)).toThrow('not JSON'),
    )
    expect(spent).toBeLessThan(2_000)
  })
})
