import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { WriteBehind } from './write-behind.js'

const EVERY_MS = 1_000

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** Collects letters; a write takes until the test ends it. */
function open() {
  const written: string[] = []
  const ends: Array<(error?: Error) => void> = []
  const failures: unknown[] = []
  const letters = new WriteBehind<string>({
    everyMs: EVERY_MS,
    merge: (older, newer) => older + newer,
    isFull: (all) => all.length >= 5,
    write: (all) => {
      written.push(all)
      return new Promise((done, fail) => ends.push((error) => (error ? fail(error) : done())))
    },
    failed: (error) => failures.push(error),
  })
  const end = (error?: Error): void => ends.shift()?.(error)
  return { letters, written, failures, end }
}
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms)

describe('changes that are written behind', () => {
  it('are collected, and written together', async () => {
    const { letters, written } = open()
    letters.collect('a')
    await pass(EVERY_MS - 1)
    letters.collect('b')
    expect(written).toEqual([])
    await pass(1)
    expect(written).toEqual(['ab'])
  })

  it('need no write when there are none', async () => {
    const { letters, written } = open()
    await letters.flush()
    await letters.stop()
    expect([written, jest.getTimerCount()]).toEqual([[], 0])
  })

  it('are written at once when there are many', async () => {
    const { letters, written } = open()
    for (const letter of 'abcde') letters.collect(letter)
    await pass(0)
    expect(written).toEqual(['abcde'])
  })

  it('are put back before newer ones when the write fails, and written again', async () => {
    const { letters, written, failures, end } = open()
    letters.collect('a')
    await pass(EVERY_MS)
    letters.collect('b')
    end(new Error('down'))
    await pass(EVERY_MS)
    expect(failures).toEqual([new Error('down')])
    expect(written).toEqual(['a', 'ab'])
    end(new Error('down'))
    await pass(EVERY_MS)
    expect(written).toEqual(['a', 'ab', 'ab'])
  })

  it('are written by one write at a time; a flush waits for what was collected before it', async () => {
    const { letters, written, end } = open()
    letters.collect('a')
    await pass(EVERY_MS)
    letters.collect('b')
    let isFlushed = false
    const flushed = letters.flush().then(() => (isFlushed = true))
    await pass(0)
    expect(written).toEqual(['a'])
    end()
    await pass(0)
    expect([written, isFlushed]).toEqual([['a', 'b'], false])
    end()
    await flushed
    expect(isFlushed).toBe(true)
  })

  it('are written by one more write for all who flush while one is under way', async () => {
    const { letters, written, end } = open()
    letters.collect('a')
    const flushed = [letters.flush(), letters.flush(), letters.flush()]
    await pass(0)
    letters.collect('b')
    end()
    await pass(0)
    expect(written).toEqual(['a', 'b'])
    end()
    await Promise.all(flushed)
    await letters.flush()
    expect(written).toEqual(['a', 'b'])
  })

  it('are reported to whoever flushes them when they cannot be written', async () => {
    const { letters, failures, end } = open()
    letters.collect('a')
    const flushed = expect(letters.flush()).rejects.toThrow('down')
    await pass(0)
    end(new Error('down'))
    await flushed
    expect(failures).toEqual([])
  })

  it('are written when the work stops, and no timer is left', async () => {
    const { letters, written, failures, end } = open()
    letters.collect('a')
    const stopped = letters.stop()
    await pass(0)
    end(new Error('down'))
    await stopped
    expect([written, failures, jest.getTimerCount()]).toEqual([['a'], [new Error('down')], 0])
  })
})
