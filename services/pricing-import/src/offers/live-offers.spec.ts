import { describe, expect, it } from '@jest/globals'
import { LiveOffers } from './live-offers.js'
import type { FoundOffer } from './offer-store.js'

const offer = (version: number): FoundOffer => ({
  version,
  brand: 'A',
  article: 'X',
  name: `of ${version}`,
  quantity: 1,
  price: 1,
  delivery_days: null,
})

/**
 * Lists whose live versions are given by storage, and offers of every version; both are read when they are released.
 */
function shelves() {
  const live = new Map<number, number>()
  const asked: number[][] = []
  const remembered = { value: undefined as ReadonlyMap<number, number> | undefined, keeps: false }
  const gate = { versions: Promise.resolve(), offers: Promise.resolve() }
  const found = new LiveOffers(
    {
      liveVersions: async () => {
        const now = [...live].map(([storage_id, version]) => ({ storage_id, version }))
        await gate.versions
        return now
      },
    },
    {
      find: async (_article, versions) => {
        asked.push(versions)
        await gate.offers
        return versions.map(offer)
      },
    },
    {
      get: () => remembered.value,
      read: async (_key, read) => (remembered.value = remembered.keeps ? await read() : undefined) ?? read(),
    },
  )
  const find = async (storages = [1, 2]) => {
    const { storageOf, offers } = await found.find(storages, 'X')
    return offers.map(({ version }) => `${storageOf.get(version)}:${version}`)
  }
  return { live, asked, gate, remembered, find }
}

describe('live offers', () => {
  it('are read once while the same versions are live', async () => {
    const { live, asked, find } = shelves()
    live.set(1, 10).set(2, 20)
    expect(await find()).toEqual(['1:10', '2:20'])
    expect(await find()).toEqual(['1:10', '2:20'])
    expect(asked).toEqual([
      [10, 20],
      [10, 20],
    ])
  })

  it('are read again when another version went live, without offers of the old one', async () => {
    const { live, asked, find } = shelves()
    live.set(1, 10).set(2, 20)
    await find()
    live.set(2, 21)
    expect(await find()).toEqual(['1:10', '2:21'])
    live.delete(1)
    expect(await find()).toEqual(['2:21'])
    expect(asked.slice(1)).toEqual([[10, 20], [10, 21], [10, 21], [21]])
  })

  it('are requested before the live versions are known', async () => {
    const { live, asked, gate, find } = shelves()
    live.set(1, 10)
    await find()
    let release: () => void = () => undefined
    gate.versions = new Promise((done) => {
      release = done
    })
    const answer = find()
    expect(asked).toHaveLength(2)
    release()
    expect(await answer).toEqual(['1:10'])
  })

  it('are read separately for other storages, and not at all without a live version', async () => {
    const { live, asked, find } = shelves()
    expect(await find()).toEqual([])
    live.set(1, 10)
    expect(await find([1])).toEqual(['1:10'])
    expect(await find([2, 1])).toEqual(['1:10'])
    expect(asked).toEqual([[10], [10]])
  })

  it('are those of the cached versions until the cache is invalidated', async () => {
    const { live, remembered, find } = shelves()
    remembered.keeps = true
    live.set(1, 10)
    expect(await find()).toEqual(['1:10'])
    live.set(1, 11)
    expect(await find()).toEqual(['1:10'])
    remembered.value = undefined
    expect(await find()).toEqual(['1:11'])
  })

  it('fail when the versions cannot be read, although offers were requested', async () => {
    const { live, gate, find } = shelves()
    live.set(1, 10)
    await find()
    gate.versions = Promise.reject(new Error('away'))
    gate.offers = Promise.reject(new Error('away too'))
    await expect(find()).rejects.toThrow('away')
  })
})
