import { describe, expect, it } from '@jest/globals'
import { checkJsonWeight, MAX_CONTAINERS } from './json-limit.js'

const check = (text: string) => checkJsonWeight(Buffer.from(text))

describe('checkJsonWeight', () => {
  it.each([
    ['nested arrays', '['.repeat(MAX_CONTAINERS + 1).padEnd(2 * MAX_CONTAINERS + 2, ']')],
    ['empty objects', `[${'{},'.repeat(MAX_CONTAINERS)}{}]`],
  ])('rejects more %s than a real batch has', (_what, text) => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
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
