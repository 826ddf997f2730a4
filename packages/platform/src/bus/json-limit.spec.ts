import { describe, expect, it } from '@jest/globals'
import { checkJsonWeight, MAX_CONTAINERS } from './json-limit.js'

const check = (text: string) => checkJsonWeight(Buffer.from(text))

describe('the weight of a JSON text', () => {
  it.each([
    ['nested lists', '['.repeat(MAX_CONTAINERS + 1).padEnd(2 * MAX_CONTAINERS + 2, ']')],
    ['empty objects', `[${'{},'.repeat(MAX_CONTAINERS)}{}]`],
  ])('refuses more %s than real items could be', (_what, text) => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  })

  it('lets the densest real batch of 8 MiB through', () => {
    const item = '{"name":"a"},'
    check(`[${item.repeat(Math.floor((8 * 1024 * 1024) / item.length))}]`)
  })

  it('does not mistake text for structure', () => {
    check(`["${'[{'.repeat(MAX_CONTAINERS)}"]`)
    check(`["\\"${'[{'.repeat(MAX_CONTAINERS)}\\\\"]`)
  })
})
