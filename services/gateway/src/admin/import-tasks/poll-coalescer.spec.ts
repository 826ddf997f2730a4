import { describe, expect, it } from '@jest/globals'
import { PollCoalescer } from './poll-coalescer.js'

describe('coalesced polls', () => {
  it('read once per interval for all listeners of a key', async () => {
    let time = 1_000
    const polls = new PollCoalescer<number>(300, { now: () => time })
    let reads = 0
    const read = (key: string, at: number): Promise<number> => {
      time = 1_000 + at
      return polls.read(key, async () => (reads += 1))
    }
    const values = await Promise.all(Array.from({ length: 50 }, (_, at) => read('7', at)))
    expect(new Set(values)).toEqual(new Set([1]))
    expect(await read('8', 60)).toBe(2)
    expect(await read('7', 250)).toBe(1)
    expect(await read('7', 300)).toBe(3)
  })

  it('read again after a failure', async () => {
    const polls = new PollCoalescer<number>(300)
    await expect(polls.read('7', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await polls.read('7', async () => 1)).toBe(1)
  })
})
