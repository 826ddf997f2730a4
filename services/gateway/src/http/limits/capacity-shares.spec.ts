import { beforeEach, describe, expect, it } from '@jest/globals'
import { type CapacityShare, CapacityShares } from './capacity-shares.js'

const WINDOW_MS = 500

let now = 0
let shares: CapacityShares
let erp: CapacityShare
let images: CapacityShare
let admin: CapacityShare

beforeEach(() => {
  now = 1_000_000
  shares = new CapacityShares(4)
  erp = shares.open({ min: 2, isUrgent: true })
  images = shares.open({ min: 1 })
  admin = shares.open({ min: 1 })
})

/** Starts requests until there is no room. @returns how many are in progress */
function start(share: CapacityShare): Array<() => void> {
  const leaves: Array<() => void> = []
  while (leaves.length < 100 && share.hasRoom(now)) leaves.push(share.enter(() => undefined))
  return leaves
}
const fill = (share: CapacityShare): number => start(share).length
/** One window in which `flooded` send as much as they may, and requests of administrators take so long. */
function pass(ms: number, flooded: CapacityShare[]): number[] {
  now += WINDOW_MS
  const started = flooded.map((share) => start(share))
  admin.hasRoom(now)
  for (let count = 0; count < 4; count += 1) admin.record('GET /products', ms)
  for (const leave of started.flat()) leave()
  return started.map(({ length }) => length)
}
/** Administrators alone, whose requests take 10 ms. */
function learnUsualTimes(): void {
  for (let count = 0; count < 20; count += 1) pass(10, [])
}

describe('the shares of APIs (rules.md#overload)', () => {
  it('do not limit an API that is alone', () => {
    expect(fill(erp)).toBe(100)
  })

  it('limit an API to the number of processors from the first request of another one', () => {
    images.hasRoom(now)
    expect(fill(erp)).toBe(4)
  })

  it('end five seconds after the last request of the others', () => {
    images.hasRoom(now)
    expect(fill(erp)).toBe(4)
    now += 4_900
    expect(erp.hasRoom(now)).toBe(false)
    now += 200
    expect(erp.hasRoom(now)).toBe(true)
  })

  it('last as long as a request of another API is in progress', () => {
    images.enter(() => undefined)
    now += 60_000
    expect(fill(erp)).toBe(4)
  })

  it('no longer count a request that takes long', async () => {
    const search = shares.open({ min: 1, holdMs: 5 })
    images.hasRoom(now)
    expect(fill(search)).toBe(4)
    await new Promise<void>((resolve) => {
      search.enter(resolve)
    })
    expect(search.hasRoom(now)).toBe(true)
  })

  it('shrink to the minimum while the others are slow, and grow while they are not', () => {
    learnUsualTimes()
    const falling = Array.from({ length: 5 }, () => pass(100, [erp])[0])
    expect(falling).toEqual([4, 2, 2, 2, 2])
    pass(10, [erp])
    expect([1, 2, 3].map(() => pass(10, [erp])[0])).toEqual([3, 4, 5])
  })

  it('do not grow while they are not used', () => {
    learnUsualTimes()
    for (let count = 0; count < 10; count += 1) pass(10, [])
    expect(fill(erp)).toBe(4)
  })

  it('shrink for the ERP only when no other API uses more than its minimum', () => {
    learnUsualTimes()
    const counts = Array.from({ length: 5 }, () => pass(100, [erp, images]))
    expect(counts.map(([ofErp]) => ofErp)).toEqual([4, 4, 4, 2, 2])
    expect(counts.map(([, ofImages]) => ofImages)).toEqual([4, 2, 1, 1, 1])
  })

  it('do not shrink because an API slows itself', () => {
    learnUsualTimes()
    const own = Array.from({ length: 5 }, () => {
      images.hasRoom(now)
      return pass(100, [admin, erp])[1]
    })
    expect(own).toEqual([4, 5, 6, 7, 8])
  })

  it('do not shrink for a few ms', () => {
    for (let count = 0; count < 20; count += 1) pass(1, [])
    expect(Array.from({ length: 3 }, () => pass(3.5, [erp])[0])).toEqual([4, 5, 6])
  })

  it('adapt to requests that have become slower only while nothing is limited', () => {
    learnUsualTimes()
    for (let count = 0; count < 200; count += 1) pass(30, [])
    expect(Array.from({ length: 3 }, () => pass(30, [erp])[0])).toEqual([4, 5, 6])
    for (let count = 0; count < 200; count += 1) pass(90, [erp])
    expect(pass(90, [erp])).toEqual([2])
  })
})
