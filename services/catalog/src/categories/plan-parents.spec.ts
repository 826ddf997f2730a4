import { describe, expect, it } from '@jest/globals'
import { type ParentState, planParents } from './plan-parents.js'

/** `a<b` means that the parent of a is b; `a?x` waits for x. */
function states(text: string): Map<string, ParentState> {
  return new Map(
    text.split(' ').map((one) => {
      const [key = '', parent] = one.split('<')
      const [name = '', pending] = key.split('?')
      return [name, { parent_erp_id: parent ?? null, pending_parent_erp_id: pending ?? null }]
    }),
  )
}

function requests(text: string) {
  return text.split(' ').map((one) => {
    const [child = '', parent = ''] = one.split('<')
    return { child, parent: parent === '' ? null : parent }
  })
}

describe('planParents', () => {
  it.each([
    ['sets a known parent', 'a b', 'a<b', ['linked'], 'a<b'],
    ['makes a root that waits for no parent', 'a?x<b b', 'a<', ['linked'], 'a'],
    ['keeps the parent and remembers an unknown one', 'a<b b', 'a<x', ['missing'], 'a?x<b'],
    ['refuses the category itself', 'a<b b', 'a<a', ['cycle'], 'a<b'],
    ['stops waiting when the category itself is requested', 'a?x', 'a<a', ['cycle'], 'a'],
    ['refuses the second of two that would be parents of each other', 'a b', 'a<b b<a', ['linked', 'cycle'], 'a<b b'],
    ['refuses a cycle through stored ancestors', 'a<b b<c c', 'c<a', ['cycle'], 'c'],
    ['turns a tree around in one batch', 'a<b b', 'b<a a<', ['linked', 'linked'], 'b<a a'],
    [
      'turns a chain around that is sent in the worst order',
      'a<b b<c c',
      'c<b b<a a<',
      ['linked', 'linked', 'linked'],
      'a b<a c<b',
    ],
    ['applies the last request of a key', 'a b c', 'a<b a<c', ['linked', 'linked'], 'a<c'],
    [
      'reports a cycle of the first request of a key and applies the last one',
      'a b<a c',
      'a<b a<c',
      ['cycle', 'linked'],
      'a<c',
    ],
    ['applies a known parent after an unknown one of the same key', 'a b', 'a<x a<b', ['missing', 'linked'], 'a<b'],
    [
      'applies a request that another deferred one blocked',
      'a<b b c',
      'b<a b<c a<',
      ['cycle', 'linked', 'linked'],
      'b<c a',
    ],
  ])('%s', async (_case, stored, sent, outcomes, after) => {
    const plan = await planParents(states(stored), requests(sent))
    expect(plan.outcomes).toEqual(outcomes)
    for (const [key, state] of states(after)) expect([key, plan.states.get(key)]).toEqual([key, state])
  })

  it('ends when the stored categories form a cycle', async () => {
    expect((await planParents(states('a<b b<a c'), requests('c<a'))).outcomes).toEqual(['linked'])
  })

  // rules.md#shared-resources
  it('lets other calls go on while it turns a long chain around, and ends when it is told to', async () => {
    const LEVELS = 1_000
    const name = (at: number) => `k${at}`
    const levels = Array.from({ length: LEVELS }, (_, at) => at)
    const chain = states(levels.map((at) => (at === 0 ? name(at) : `${name(at - 1)}<${name(at)}`)).join(' '))
    const turned = requests(
      [...levels.slice(1).map((at) => `${name(LEVELS - at)}<${name(LEVELS - at - 1)}`), 'k0<'].join(' '),
    )
    let turns = 0
    const count = setInterval(() => (turns += 1), 0)
    const { outcomes } = await planParents(chain, turned)
    expect(new Set(outcomes)).toEqual(new Set(['linked']))
    expect(turns).toBeGreaterThan(5)
    clearInterval(count)
    const late = new Error('late')
    await expect(planParents(chain, turned, AbortSignal.abort(late))).rejects.toBe(late)
  })
})
