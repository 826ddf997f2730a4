import { describe, expect, it } from '@jest/globals'
import { type ParentPlace, planParents } from './parent-edges.js'

/** `a<b` means: a's parent is b; `a?x` waits for x. */
function places(text: string): Map<string, ParentPlace> {
  return new Map(
    text.split(' ').map((one) => {
      const [key = '', parent] = one.split('<')
      const [name = '', pending] = key.split('?')
      return [name, { parent_erp_id: parent ?? null, pending_parent_erp_id: pending ?? null }]
    }),
  )
}

function wishes(text: string) {
  return text.split(' ').map((one) => {
    const [child = '', parent = ''] = one.split('<')
    return { child, parent: parent === '' ? null : parent }
  })
}

describe('planParents', () => {
  it.each([
    ['a parent that is known', 'a b', 'a<b', ['linked'], 'a<b'],
    ['null: becomes a root, and waits no more', 'a?x<b b', 'a<', ['linked'], 'a'],
    ['unknown: the old parent stays, the link is remembered', 'a<b b', 'a<x', ['missing'], 'a?x<b'],
    ['itself', 'a<b b', 'a<a', ['cycle'], 'a<b'],
    ['itself ends the waiting', 'a?x', 'a<a', ['cycle'], 'a'],
    ['two that would hold each other: the second is not set', 'a b', 'a<b b<a', ['linked', 'cycle'], 'a<b b'],
    ['a cycle through stored ancestors', 'a<b b<c c', 'c<a', ['cycle'], 'c'],
    ['a tree turned round in one batch', 'a<b b', 'b<a a<', ['linked', 'linked'], 'b<a a'],
    [
      'a chain turned round, sent in the worst order',
      'a<b b<c c',
      'c<b b<a a<',
      ['linked', 'linked', 'linked'],
      'a b<a c<b',
    ],
    ['same key twice: the last wins', 'a b c', 'a<b a<c', ['linked', 'linked'], 'a<c'],
    [
      'same key twice: a first try that is a cycle is told, the last is set',
      'a b<a c',
      'a<b a<c',
      ['cycle', 'linked'],
      'a<c',
    ],
    ['same key twice: unknown, then known', 'a b', 'a<x a<b', ['missing', 'linked'], 'a<b'],
    ['a wish deferred by another deferred one', 'a<b b c', 'b<a b<c a<', ['cycle', 'linked', 'linked'], 'b<c a'],
  ])('%s', (_case, stored, sent, outcomes, after) => {
    const plan = planParents(places(stored), wishes(sent))
    expect(plan.outcomes).toEqual(outcomes)
    for (const [key, place] of places(after)) expect([key, plan.places.get(key)]).toEqual([key, place])
  })

  it('ends on a loop that is stored already', () => {
    expect(planParents(places('a<b b<a c'), wishes('c<a')).outcomes).toEqual(['linked'])
  })
})
