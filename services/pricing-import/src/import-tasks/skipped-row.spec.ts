import { describe, expect, it } from '@jest/globals'
import { keptCells } from './skipped-row.js'

const wide = 'x'.repeat(3_000)

describe('the cells that are kept of a skipped row (rules.md#skipped-rows)', () => {
  it.each<[string, string[], string[]]>([
    ['all of an ordinary row', ['BOSCH', '', '0451'], ['BOSCH', '', '0451']],
    ['none of the blank ones at its end', ['BOSCH', '', ''], ['BOSCH']],
    ['none of a blank row', ['', ''], []],
    ['the first 257', Array<string>(300).fill('a'), Array<string>(257).fill('a')],
    ['the first 2,000 characters of each', [wide, 'a'], [wide.slice(0, 2_000), 'a']],
    ['a lone surrogate as the replacement character', ['a\ud800'], ['a\ufffd']],
  ])('%s', (_, cells, kept) => {
    expect(keptCells(cells)).toEqual(kept)
  })

  it('32,768 characters in all', () => {
    const kept = keptCells(Array<string>(257).fill(wide))
    expect(kept.join('')).toHaveLength(32_768)
    expect(kept).toHaveLength(17)
  })
})
