import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { KeyedSemaphore, Semaphore, type SlotOptions } from './semaphore.js'

let now = 1_000
beforeEach(() => {
  now = 1_000
  jest.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  jest.restoreAllMocks()
})

/** Starts work that the test ends, one for each name. */
function start(semaphore: Semaphore, names: readonly string[], options: SlotOptions = {}, log: string[] = []) {
  const ends = new Map<string, () => void>()
  const outcomes = names.map((name) =>
    semaphore
      .run(options, () => {
        log.push(name)
        return new Promise<void>((end) => ends.set(name, end))
      })
      .then(
        () => 'done',
        ({ code, message }: { code?: string; message: string }) => code ?? message,
      ),
  )
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await settle()
  }
  return { log, outcomes, end }
}
const settle = (): Promise<void> => new Promise((done) => setImmediate(done))

describe('a semaphore', () => {
  it('starts as much work at a time as it has slots, the rest in order of arrival', async () => {
    const { log, outcomes, end } = start(new Semaphore(2), ['a', 'b', 'c', 'd'])
    expect(log).toEqual(['a', 'b'])
    await end('b')
    expect(log).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c', 'd']) await end(name)
    expect(log).toEqual(['a', 'b', 'c', 'd'])
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('frees the slot of work that failed', async () => {
    const semaphore = new Semaphore(1)
    await expect(semaphore.run({}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(semaphore.isIdle).toBe(true)
    expect(await semaphore.run({}, async () => 'free')).toBe('free')
  })

  it('gives no slot to a waiter whose signal is aborted', async () => {
    const semaphore = new Semaphore(1)
    const hasty = new AbortController()
    const first = start(semaphore, ['first'])
    const left = start(semaphore, ['left'], { signal: hasty.signal }, first.log)
    const last = start(semaphore, ['last'], {}, first.log)
    hasty.abort(new Error('gone'))
    expect(await left.outcomes[0]).toBe('gone')
    await first.end('first')
    await last.end('last')
    expect(first.log).toEqual(['first', 'last'])
    await expect(semaphore.run({ signal: hasty.signal }, async () => 'never')).rejects.toThrow('gone')
  })

  it('refuses work that waits for longer than its limit', async () => {
    const semaphore = new Semaphore(1)
    const { end } = start(semaphore, ['first'])
    const refused = semaphore.runWithin(
      1,
      () => new Error('late'),
      async () => 'never',
    )
    await expect(refused).rejects.toThrow('late')
    await end('first')
    expect(
      await semaphore.runWithin(
        1_000,
        () => new Error('late'),
        async () => 'in time',
      ),
    ).toBe('in time')
  })

  it('starts the next work once when one releases its slot before it ends', async () => {
    const semaphore = new Semaphore(1)
    let end = (): void => undefined
    const early = semaphore.run({}, (release) => {
      release()
      return new Promise<void>((done) => (end = done))
    })
    const next = start(semaphore, ['a', 'b'])
    expect(next.log).toEqual(['a'])
    end()
    await early
    expect(next.log).toEqual(['a'])
    await next.end('a')
    expect(next.log).toEqual(['a', 'b'])
  })

  // rules.md#overload
  it('does not start work whose caller has given up', async () => {
    const semaphore = new Semaphore(1)
    const first = start(semaphore, ['first'])
    const late = start(semaphore, ['late'], { until: 1_500 })
    const next = start(semaphore, ['next'], { until: 9_000 })
    now = 2_000
    await first.end('first')
    expect([late.log, next.log]).toEqual([[], ['next']])
    expect(await late.outcomes[0]).toBe('OVERLOADED')
    await next.end('next')
    expect(await next.outcomes[0]).toBe('done')
    expect(start(semaphore, ['free']).log).toEqual(['free'])
  })

  it('measures how long the first one waits', async () => {
    const semaphore = new Semaphore(1)
    expect(semaphore.delay()).toBe(0)
    const { end } = start(semaphore, ['a', 'b'])
    now = 1_400
    expect(semaphore.delay()).toBe(400)
    await end('a')
    expect(semaphore.delay()).toBe(0)
  })

  // rules.md#overload
  it('gives free slots to the outer groups in turn, and to the inner groups of each in turn', async () => {
    const semaphore = new Semaphore(1)
    const { log, end } = start(semaphore, ['first'])
    const greedy = ['wide', 'narrow'].map((query) =>
      start(
        semaphore,
        query === 'wide' ? ['wide 1', 'wide 2', 'wide 3'] : ['narrow'],
        { groups: ['greedy', query] },
        log,
      ),
    )
    const modest = start(semaphore, ['modest'], { groups: ['modest', 'query'] }, log)
    await end('first')
    for (let turn = 1; turn < 6; turn += 1)
      for (const { end: endOne } of [...greedy, modest]) await endOne(log.at(-1) ?? '')
    expect(log).toEqual(['first', 'wide 1', 'modest', 'narrow', 'wide 2', 'wide 3'])
  })
})

describe('a semaphore for each key', () => {
  it('lets the work of one key wait for each other, and that of others not', async () => {
    const semaphore = new KeyedSemaphore(1)
    const log: string[] = []
    const ends: Array<() => void> = []
    const run = (key: string, name: string): Promise<void> =>
      semaphore.run(key, () => {
        log.push(name)
        return new Promise<void>((end) => ends.push(end))
      })
    const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1')]
    expect(log).toEqual(['a1', 'b1'])
    ends[0]?.()
    await settle()
    expect(log).toEqual(['a1', 'b1', 'a2'])
    for (const end of ends) end()
    await Promise.all(all)
  })
})
