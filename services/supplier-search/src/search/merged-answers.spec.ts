import { describe, expect, it } from '@jest/globals'
import { BrandNames, type SynonymGroup } from '../brand-synonyms/brand-names.js'
import { MergedAnswers } from './merged-answers.js'
import type { NotedAnswer } from './storage-answer.js'

const reply = [1, 2]
const answer = (more: Partial<NotedAnswer<number>> = {}): NotedAnswer<number> => ({
  storage: { id: 1, name: 'One' },
  outcome: 'ok',
  rows: reply,
  ms: 0,
  isCached: true,
  isCutOff: false,
  error: null,
  ...more,
})
const group: SynonymGroup = { id: 1, canonical: 'Mann-Filter', synonyms: ['MANN'] }

/** Merges these answers twice; @returns how often they were merged */
async function mergeTwice(
  [first, second]: readonly [Array<NotedAnswer<number>>, Array<NotedAnswer<number>>],
  [names, namesLater] = [new BrandNames([group]), new BrandNames([group])],
  [key, keyLater] = ['k', 'k'],
): Promise<number> {
  const merged = new MergedAnswers<number, object>()
  let count = 0
  const merge = async (): Promise<object> => ({ count: (count += 1) })
  const before = await merged.merge(key, first, names, merge)
  const after = await merged.merge(keyLater, second, namesLater, merge)
  expect(before === after).toBe(count === 1)
  return count
}

describe('merged answers', () => {
  it('are used again while all replies come from the cache and nothing has changed', async () => {
    const other = { id: 2, name: 'Two' }
    expect(
      await mergeTwice([
        [answer(), answer({ storage: other })],
        [answer(), answer({ storage: other })],
      ]),
    ).toBe(1)
  })

  it.each<[string, Partial<NotedAnswer<number>>]>([
    ['another reply', { rows: [1, 2] }],
    ['another storage', { storage: { id: 2, name: 'One' } }],
    ['another name of the storage', { storage: { id: 1, name: 'Renamed' } }],
    ['another outcome', { outcome: 'partial' }],
    ['a reply that does not come from the cache', { isCached: false }],
  ])('are merged again for %s', async (_what, more) => {
    expect(await mergeTwice([[answer()], [answer(more)]])).toBe(2)
  })

  it('are merged again for more or fewer storages', async () => {
    const two = [answer(), answer({ storage: { id: 2, name: 'Two' } })]
    expect(await mergeTwice([[answer()], two])).toBe(2)
    expect(await mergeTwice([two, [answer()]])).toBe(2)
    expect(await mergeTwice([[], []])).toBe(2)
  })

  it('are merged again for other synonyms, and for another query', async () => {
    const [same, changed] = [new BrandNames([group]), new BrandNames([{ ...group }])]
    expect(await mergeTwice([[answer()], [answer()]], [same, changed])).toBe(2)
    expect(await mergeTwice([[answer()], [answer()]], [same, new BrandNames([])])).toBe(2)
    expect(await mergeTwice([[answer()], [answer()]], [same, same], ['k', 'other'])).toBe(2)
  })
})
