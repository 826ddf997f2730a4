import { describe, expect, it } from '@jest/globals'
import { checkJsonWeight, MAX_CONTAINERS, MAX_FIELDS } from './json-limit.js'

/** `"k0":0,"k1":0` and so on. */
const fields = (count: number, first = 0) =>
  Array.from({ length: count }, (_, i) => `"k${(first + i) * 7}":0`).join(',')

const check = (text: string) => checkJsonWeight(Buffer.from(text))

describe('checkJsonWeight', () => {
  it.each([
    ['nested arrays', '['.repeat(MAX_CONTAINERS + 1).padEnd(2 * MAX_CONTAINERS + 2, ']')],
    ['empty objects', `[${'{},'.repeat(MAX_CONTAINERS)}{}]`],
  ])('rejects more %s than a real batch has', (_what, text) => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  })

  it.each([
    ['in one object', `{${fields(MAX_FIELDS + 1)}}`],
    [
      'in many objects',
      `[${Array.from({ length: MAX_FIELDS / 8 + 1 }, (_, i) => `{"x":{${fields(8, i * 8)}}}`).join(',')}]`,
    ],
    [
      'as the same names in other orders',
      `[${Array.from({ length: 400 }, (_, i) => `{${fields(100, i)},${fields(100)}}`).join(',')}]`,
    ],
    ['in a text that breaks off', `{"x":[{${fields(MAX_FIELDS + 1)}`],
  ])('rejects more different fields than a real batch has, %s', (_what, text) => {
    expect(() => check(text)).toThrow(
      expect.objectContaining({
        code: 'TOO_LARGE',
        message: `The request must not contain more than ${MAX_FIELDS} different fields.`,
      }),
    )
  })

  it('counts fields below many levels, which are no reason themselves', () => {
    const deep = (inner: string) => `${'{"a":['.repeat(50_000)}${inner}${']}'.repeat(50_000)}`
    check(deep(`{${fields(500)}}`))
    expect(() => check(deep(`{${fields(MAX_FIELDS)}}`))).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  })

  it('counts the same fields of many objects once', () => {
    check(`[${Array.from({ length: 1_000 }, () => `{${fields(500)}}`).join(',')}]`)
  })

  it('counts no values, and no text in strings', () => {
    const texts = Array.from({ length: MAX_FIELDS * 2 }, (_, i) => `"v${i}"`)
    check(`{"list":[${texts.join(',')}],"text":"${texts.join(':0,').replaceAll('"', '\\"')}"}`)
    check(`[${texts.map((text) => `{"v":${text}}`).join(',')}]`)
  })

  it('accepts 5,000 items whose optional fields are missing at random', () => {
    const names = ['id_erp', 'name', 'price', 'unit', 'brand', 'article', 'description', 'weight', 'images', 'tags']
    const item = (i: number) => `{${names.filter((_, n) => n < 2 || (i >> n) & 1).map((name) => `"${name}":"${i}"`)}}`
    check(`[${Array.from({ length: 5_000 }, (_, i) => item(i)).join(',')}]`.padEnd(1_000_000))
  })

  it('accepts the densest real batch of 8 MiB', () => {
    const item = '{"name":"a"},'
    check(`[${item.repeat(Math.floor((8 * 1024 * 1024) / item.length))}]`)
  })

  it('does not count brackets inside strings', () => {
    check(`["${'[{'.repeat(MAX_CONTAINERS)}"]`)
    check(`["\\"${'[{'.repeat(MAX_CONTAINERS)}\\\\"]`)
  })
})
