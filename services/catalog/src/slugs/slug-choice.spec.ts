import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { SlugChoice } from './slug-choice.js'

const generated = { text: 'door', sent: false }
const sent = { text: 'door', sent: true }
let numbers: Map<string, number>
let stored: Set<string>
let choice: SlugChoice
beforeEach(() => {
  numbers = new Map()
  stored = new Set()
  const allocate = (name: string, count: number): Promise<number> => {
    const first = (numbers.get(name) ?? 0) + 1
    numbers.set(name, first + count - 1)
    return Promise.resolve(first)
  }
  choice = new SlugChoice({
    kind: 'product',
    counters: { allocate } as unknown as CounterStore,
    inUse: (slugs) => Promise.resolve(new Set(slugs.filter((slug) => stored.has(slug)))),
  })
})

/** Writes as the unique index would let it. @returns how many times a key was refused */
async function write(key: string): Promise<number> {
  for (let refusals = 0; ; refusals += 1) {
    const slug = choice.choose(key, generated)
    if (!stored.has(slug)) {
      stored.add(slug)
      return refusals
    }
    await choice.refuse([key])
  }
}

describe('SlugChoice', () => {
  it('keeps the slugs of one batch apart by itself', () => {
    expect(['a', 'b', 'c'].map((key) => choice.choose(key, generated))).toEqual(['door', 'door-2', 'door-3'])
    expect(choice.choose('b', generated)).toBe('door-2')
  })

  it('keeps a stored slug unless another one is sent', () => {
    expect(choice.choose('a', generated, 'old')).toBe('old')
    expect(choice.choose('b', sent, 'door')).toBe('door')
    expect(choice.choose('c', sent, 'old')).toBe('door')
  })

  it('takes numbers from a counter of the name when the index refuses, without gaps', async () => {
    stored.add('door')
    for (const key of ['a', 'b', 'c']) await write(key)
    expect([...stored]).toEqual(['door', 'door-2', 'door-3', 'door-4'])
  })

  it('keeps a suffixed slug when the sent one is refused, so that a repeated request changes nothing', async () => {
    expect(choice.choose('a', sent, 'door-7')).toBe('door')
    await choice.refuse(['a'])
    expect(choice.choose('a', sent, 'door-7')).toBe('door-7')
  })

  it('tries a sent slug again when another item of the batch left it', async () => {
    expect(choice.choose('a', { text: 'gate', sent: true }, 'door')).toBe('gate')
    expect(choice.choose('b', sent)).toBe('door')
    await choice.refuse(['b'])
    expect(choice.choose('b', sent)).toBe('door')
    await choice.refuse(['b'])
    expect(choice.choose('b', sent)).not.toBe('door')
  })

  it.each([10, 1_000, 100_000])('finds its way past %i slugs taken by hand in a few steps', async (taken) => {
    stored.add('door')
    for (let number = 2; number <= taken; number += 1) stored.add(`door-${number}`)
    expect(await write('a')).toBeLessThanOrEqual(8)
    expect(stored.size).toBe(taken + 1)
  })
})
