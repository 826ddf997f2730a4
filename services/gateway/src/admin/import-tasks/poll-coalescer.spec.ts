import { describe, expect, it } from '@jest/globals'
import { PollCoalescer } from './poll-coalescer.js'

describe('coalesced polls', () => {
  it('read once per interval for all listeners of a key', async () => {
    const polls = new PollCoalescer<number>(300)
    let reads = 0
    const read = async (): Promise<number> => (reads += 1)
    const values = await Promise.all(Array.from({ length: 50 }, (_, at) => polls.read('7', read, at)))
    expect(new Set(values)).toEqual(new Set([1]))
    expect(await polls.read('8', read, 60)).toBe(2)
    expect(await polls.read('7', read, 250)).toBe(1)
    expect(await polls.read('7', read, 300)).toBe(3)
  })

  it('read again after a failure', async () => {
    const polls = new PollCoalescer<number>(300)
    await expect(polls.read('7', () => Promise.reject(new Error('down')), 0)).rejects.toThrow('down')
    expect(await polls.read('7', async () => 1, 1)).toBe(1)
  })
})
