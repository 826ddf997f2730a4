import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { SlotQueue } from './slot-queue.js'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** Frees slots evenly for a second. */
function free(queue: SlotQueue, perSecond: number, from = 0): void {
  for (let count = 0; count < perSecond; count += 1) queue.recordFreed(from + (count * 1_000) / perSecond)
}

describe('the queue for slots', () => {
  it('admits as many as get their turn in time', () => {
    const queue = new SlotQueue(2_000)
    queue.mayJoin(0)
    free(queue, 50)
    let joined = 0
    for (; queue.mayJoin(1_000); joined += 1) void queue.join()
    expect(joined).toBeGreaterThan(80)
    expect(joined).toBeLessThanOrEqual(101)
  })

  it('admits none when no slot has become free for long', () => {
    const queue = new SlotQueue(2_000)
    queue.mayJoin(0)
    free(queue, 50)
    expect(queue.mayJoin(1_000)).toBe(true)
    void queue.join()
    expect(queue.mayJoin(3_000)).toBe(false)
  })

  it('admits a burst before anything is known', () => {
    const queue = new SlotQueue(2_000)
    expect(queue.mayJoin(0)).toBe(true)
    void queue.join()
    expect(queue.mayJoin(400)).toBe(true)
    expect(queue.mayJoin(600)).toBe(false)
  })

  it('admits a burst although few requests came before', () => {
    const queue = new SlotQueue(2_000)
    free(queue, 2)
    let joined = 0
    for (; queue.mayJoin(1_000); joined += 1) void queue.join()
    expect(joined).toBe(256)
  })

  it('refuses after eight seconds those whose turn did not come', async () => {
    const queue = new SlotQueue(2_000)
    const first = queue.join()
    const second = queue.join()
    expect(queue.proceed()).toBe(true)
    expect(await first).toBe(true)
    await jest.advanceTimersByTimeAsync(8_000)
    expect(await second).toBe(false)
    expect([queue.length, queue.proceed()]).toEqual([0, false])
  })

  it('admits none where no request waits', () => {
    const queue = new SlotQueue(0)
    free(queue, 50)
    expect(queue.mayJoin(1_000)).toBe(false)
  })
})
