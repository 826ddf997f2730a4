import { describe, expect, it } from '@jest/globals'
import { type JoinOptions, WaitLine } from './wait-line.js'

/** Takes all from the line. */
const takeAll = (line: WaitLine<string>): string[] => {
  const taken: string[] = []
  for (let next = line.take(); next; next = line.take()) {
    next.proceed()
    taken.push(next.entry)
  }
  return taken
}
const join = (line: WaitLine<string>, entries: string, options?: JoinOptions): Array<Promise<void>> =>
  entries.split(' ').map((entry) => line.join(entry, options))

describe('a line of waiters', () => {
  it('lets them proceed in order of arrival', async () => {
    const line = new WaitLine<string>()
    const turns = join(line, 'a b c')
    expect([line.length, line.first]).toEqual([3, 'a'])
    expect(takeAll(line)).toEqual(['a', 'b', 'c'])
    expect([line.length, line.first]).toEqual([0, undefined])
    await Promise.all(turns)
  })

  it('lets groups have their turns one after the other, on each level', async () => {
    const line = new WaitLine<string>()
    const turns = [
      ...join(line, 'a11 a12 a13', { groups: ['a', 1] }),
      ...join(line, 'a21', { groups: ['a', 2] }),
      ...join(line, 'b11 b12', { groups: ['b', 1] }),
      ...join(line, 'c11', { groups: ['c', 1] }),
    ]
    expect(takeAll(line)).toEqual(['a11', 'b11', 'c11', 'a21', 'b12', 'a12', 'a13'])
    await Promise.all(turns)
  })

  it.each([{}, { groups: ['a'] }, { groups: ['a', 'b'] }])('drops whoever gives up: %j', async (options) => {
    const line = new WaitLine<string>()
    const hasty = new AbortController()
    const calm = join(line, 'a', options)
    const left = line.join('left', { ...options, signal: hasty.signal })
    calm.push(...join(line, 'b', options))
    hasty.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect(line.length).toBe(2)
    expect(takeAll(line)).toEqual(['a', 'b'])
    await Promise.all(calm)
    await expect(line.join('late', { signal: hasty.signal })).rejects.toThrow('gone')
    expect(line.length).toBe(0)
  })

  it('rejects a waiter who is refused, and later aborts change nothing', async () => {
    const line = new WaitLine<string>()
    const cancel = new AbortController()
    const turn = line.join('a', { signal: cancel.signal })
    line.take()?.refuse(new Error('full'))
    await expect(turn).rejects.toThrow('full')
    const other = join(line, 'b')
    cancel.abort()
    expect(takeAll(line)).toEqual(['b'])
    await Promise.all(other)
  })
})
