import { describe, expect, it } from '@jest/globals'
import type { SynonymGroup } from './brand-names.js'
import { KnownGroups } from './known-groups.js'

const group = (id: number, canonical: string, ...synonyms: string[]): SynonymGroup => ({ id, canonical, synonyms })

/** A table of groups, and the keys that were looked up in it. */
function table(...groups: SynonymGroup[]) {
  const stored = { groups, asked: [] as string[][], hold: undefined as Promise<void> | undefined }
  const clock = { now: 0 }
  const known = new KnownGroups(
    async (keys) => {
      stored.asked.push([...keys])
      const found = stored.groups.filter(({ canonical, synonyms }) =>
        [canonical, ...synonyms].some((each) => keys.includes(each)),
      )
      await stored.hold
      return found
    },
    () => clock.now,
  )
  return { stored, clock, known }
}

describe('synonym groups under one revision', () => {
  it('a key is looked up once, be it in a group or in none; a group that several keys are in is there once', async () => {
    const { stored, known } = table(group(1, 'MANN', 'HUMMEL'))
    expect(await known.under(1, ['MANN', 'HUMMEL', 'BOSCH'])).toEqual([group(1, 'MANN', 'HUMMEL')])
    expect(await known.under(1, ['BOSCH', 'HUMMEL', 'KNECHT'])).toEqual([group(1, 'MANN', 'HUMMEL')])
    expect(stored.asked).toEqual([['MANN', 'HUMMEL', 'BOSCH'], ['KNECHT']])
  })

  it('under a newer revision everything is looked up again', async () => {
    const { stored, known } = table()
    expect(await known.under(1, ['MANN'])).toEqual([])
    stored.groups = [group(1, 'MANN')]
    expect(await known.under(1, ['MANN'])).toEqual([])
    expect(await known.under(2, ['MANN'])).toEqual([group(1, 'MANN')])
  })

  it('what was looked up before a change, and came after it, is not taken for what stands under the new revision', async () => {
    const { stored, known } = table()
    let release: () => void = () => undefined
    stored.hold = new Promise((done) => {
      release = done
    })
    const early = known.under(1, ['MANN'])
    stored.groups = [group(1, 'MANN')]
    stored.hold = undefined
    await known.under(2, ['BOSCH'])
    release()
    expect(await early).toEqual([])
    expect(await known.under(2, ['MANN'])).toEqual([group(1, 'MANN')])
  })

  it('nothing is believed for longer than five seconds', async () => {
    const { stored, clock, known } = table()
    await known.under(1, ['MANN'])
    stored.groups = [group(1, 'MANN')]
    clock.now = 5_000
    expect(await known.under(1, ['MANN'])).toEqual([])
    clock.now = 5_001
    expect(await known.under(1, ['MANN'])).toEqual([group(1, 'MANN')])
  })

  it('tells the last time only of keys that are all known', async () => {
    const { known } = table(group(1, 'MANN'))
    expect(known.lastTime(['MANN'])).toBeUndefined()
    await known.under(1, ['MANN', 'BOSCH'])
    expect(known.lastTime(['MANN', 'BOSCH'])).toEqual([group(1, 'MANN')])
    expect(known.lastTime(['MANN', 'KNECHT'])).toBeUndefined()
  })
})
