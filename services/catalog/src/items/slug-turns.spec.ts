import { describe, expect, it } from '@jest/globals'
import { SlugTurns } from './slug-turns.js'

describe('SlugTurns', () => {
  it('lets writers of one slug go one after the other, and others pass', async () => {
    const turns = new SlugTurns()
    const seen: string[] = []
    const first = await turns.take(['a', 'b'])
    const second = turns.take(['b', 'c']).then((turn) => {
      seen.push('second')
      return turn
    })
    const third = await turns.take(['c'])
    seen.push('third')
    third.end(['c'])
    first.end([])
    const { end } = await second
    expect(seen).toEqual(['third', 'second'])
    end([])
    expect((await turns.take(['a', 'b', 'c'])).taken).toEqual(new Set())
  })

  it('tells who waited what was stored meanwhile', async () => {
    const turns = new SlugTurns()
    const first = await turns.take(['a', 'b'])
    const second = turns.take(['a', 'b'])
    first.end(['b'])
    expect([...(await second).taken]).toEqual(['b'])
  })
})
