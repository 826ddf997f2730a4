import { beforeEach, describe, expect, it } from '@jest/globals'
import { type BatchSlugs, SlugAllocator } from './slug-allocator.js'

let stored: Set<string>
let queries: number
let allocator: SlugAllocator
beforeEach(() => {
  stored = new Set()
  queries = 0
  allocator = new SlugAllocator((slugs) => {
    queries += 1
    return Promise.resolve(new Set(slugs.filter((slug) => stored.has(slug))))
  })
  allocator.expectsCollisions = true
})

/** A batch of new items, each named after its key up to the colon; `slugs` are sent. */
function batch(slugs: Record<string, string> = {}): BatchSlugs {
  const items = new Map<string, Array<{ name: string; slug?: string }>>()
  const itemsOf = {
    get: (key: string) => items.get(key) ?? [{ name: key.split(':')[0] ?? '', slug: slugs[key] ?? '' }],
  }
  return allocator.forBatch(itemsOf as typeof items, ({ name }) => name, 'product')
}
const claims = (...keys: string[]) => keys.map((key) => ({ key, stored: undefined }))
async function assign(slugs: BatchSlugs, ...keys: string[]): Promise<Array<string | undefined>> {
  await slugs.assign(claims(...keys))
  return keys.map((key) => slugs.slugOf(key))
}

describe('BatchSlugs', () => {
  it('looks slugs up only after a collision, until a batch has none', async () => {
    allocator.expectsCollisions = false
    const first = batch()
    await assign(first, 'door:1')
    expect(queries).toBe(0)
    stored.add('door')
    first.refuse(['door:1'])
    expect(await assign(first, 'door:1')).toEqual(['door-2'])
    expect(await assign(batch(), 'door:2')).toEqual(['door-2'])
    await assign(batch(), 'gate:1')
    queries = 0
    await assign(batch(), 'wall:1')
    expect(queries).toBe(0)
  })

  it('counts up within one batch', async () => {
    expect(await assign(batch(), 'door:1', 'door:2', 'door:3')).toEqual(['door', 'door-2', 'door-3'])
  })

  it('continues behind stored slugs without gaps', async () => {
    stored = new Set(['door', 'door-2', 'door-3'])
    for (const number of [4, 5, 6]) {
      const [slug] = await assign(batch(), 'door:x')
      expect(slug).toBe(`door-${number}`)
      stored.add(slug ?? '')
    }
  })

  it('does not assign a slug that another name of the batch has', async () => {
    expect(await assign(batch(), 'door-2:a', 'door:b', 'door:c')).toEqual(['door-2', 'door', 'door-3'])
  })

  it('assigns each key once', async () => {
    const slugs = batch()
    await assign(slugs, 'door:1')
    stored.add('door')
    expect(await assign(slugs, 'door:1', 'door:2')).toEqual(['door', 'door-2'])
  })

  it('assigns another slug after the unique index refused the first', async () => {
    const slugs = batch()
    await assign(slugs, 'door:1', 'door:2')
    stored = new Set(['door'])
    slugs.refuse(['door:1'])
    expect(await assign(slugs, 'door:1')).toEqual(['door-3'])
  })

  it('keeps the suffix of a stored item whose sent slug is taken', async () => {
    stored = new Set(['gate', 'gate-7'])
    const slugs = batch({ a: 'gate' })
    await slugs.assign([{ key: 'a', stored: 'gate-7' }])
    expect(slugs.slugOf('a')).toBe('gate-7')
  })

  it('assigns a slug that another item of the batch gives up, until it is refused', async () => {
    stored = new Set(['door'])
    const slugs = batch({ a: 'gate', b: 'door' })
    await slugs.assign([
      { key: 'a', stored: 'door' },
      { key: 'b', stored: undefined },
    ])
    expect([slugs.slugOf('a'), slugs.slugOf('b')]).toEqual(['gate', 'door'])
    slugs.refuse(['b'])
    await slugs.assign(claims('b'))
    expect(slugs.slugOf('b')).toBe('door-2')
  })

  it('lets items that want the slugs of each other have them, but for the first', async () => {
    stored = new Set(['door', 'gate', 'wall'])
    const slugs = batch({ a: 'gate', b: 'wall', c: 'door' })
    const claimed = [
      { key: 'a', stored: 'door' },
      { key: 'b', stored: 'gate' },
      { key: 'c', stored: 'wall' },
    ]
    const assigned = async () => {
      await slugs.assign(claimed)
      return ['a', 'b', 'c'].map((key) => slugs.slugOf(key))
    }
    expect(await assigned()).toEqual(['gate', 'wall', 'door'])
    slugs.refuse(['a', 'b', 'c'])
    // as if they were sent one after another (erp.md#batch-order)
    expect(await assigned()).toEqual(['gate-2', 'wall-2', 'door'])
  })

  it.each([
    [{ key: 'a', stored: undefined }, true],
    [{ key: 'a', stored: 'door' }, false],
    [{ key: 'sent', stored: 'gate' }, false],
    [{ key: 'sent', stored: 'door' }, true],
  ])('is requested by %j: %j', (claim, expected) => {
    expect(batch({ sent: 'gate' }).isRequested(claim)).toBe(expected)
  })

  it.each([1, 2, 9, 70, 5_000, 100_000])('finds the number behind %i stored slugs in a few queries', async (taken) => {
    stored = new Set(['door', ...Array.from({ length: taken - 1 }, (_, at) => `door-${at + 2}`)])
    expect(await assign(batch(), 'door:x')).toEqual([`door-${taken + 1}`])
    expect(queries).toBeLessThanOrEqual(10)
  })

  it('finds numbers for many names in the same queries', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `name${at}`)
    stored = new Set(names.flatMap((name) => [name, `${name}-2`]))
    expect(await assign(batch(), ...names)).toEqual(names.map((name) => `${name}-3`))
    expect(queries).toBeLessThanOrEqual(3)
  })
})
