import { describe, expect, it } from '@jest/globals'
import { CoalescedReads } from './coalesced-reads.js'

/** Reads that the test ends; each returns its number. */
function reads() {
  const under: Array<() => void> = []
  let started = 0
  return {
    under,
    count: () => started,
    work: () => {
      const mine = ++started
      return new Promise<number>((done) => under.push(() => done(mine)))
    },
  }
}
const settle = () => new Promise((done) => setImmediate(done))

describe('CoalescedReads', () => {
  it('lets callers that come during a read share the next one', async () => {
    const joint = new CoalescedReads()
    const { under, count, work } = reads()
    const first = joint.read('a', 1_000, work)
    const later = [joint.read('a', 1_000, work), joint.read('a', 1_000, work), joint.read('a', 1_000, work)]
    expect(count()).toBe(1)
    under[0]?.()
    expect(await first).toBe(1)
    await settle()
    const latest = joint.read('a', 1_000, work)
    under[1]?.()
    expect(await Promise.all(later)).toEqual([2, 2, 2])
    await settle()
    under[2]?.()
    expect(await latest).toBe(3)
  })

  it('starts a new read when none is running', async () => {
    const joint = new CoalescedReads()
    let count = 0
    const work = async (): Promise<number> => ++count
    expect([
      await joint.read('a', 1_000, work),
      await joint.read('a', 1_000, work),
      await joint.read('b', 1_000, work),
    ]).toEqual([1, 2, 3])
  })

  it("a failure is that read's own; the next one is made", async () => {
    const joint = new CoalescedReads()
    const first = joint.read('a', 1_000, () => Promise.reject(new Error('no')))
    const second = joint.read('a', 1_000, async () => 2)
    await expect(first).rejects.toThrow('no')
    expect(await second).toBe(2)
  })

  it('times out each caller at its own limit', async () => {
    const joint = new CoalescedReads()
    const { work } = reads()
    const outcomes = await Promise.allSettled([joint.read('a', 20, work), joint.read('a', 10, work)])
    expect(outcomes).toMatchObject([{ reason: { code: 'TIMEOUT' } }, { reason: { code: 'TIMEOUT' } }])
  })
})
