import { describe, expect, it } from '@jest/globals'
import { FairSemaphore, type SlotUser } from './fair-semaphore.js'

const never = new AbortController().signal

/** Starts work that the test ends. */
function start(semaphore: FairSemaphore, group: SlotUser, name: string, log: string[], signal = never) {
  let finish = (): void => undefined
  const done = semaphore.run(group, signal, async () => {
    log.push(name)
    await new Promise<void>((resolve) => (finish = resolve))
  })
  return { done, finish: () => finish() }
}
/** A new one each time. */
const query = (caller = 'A'): SlotUser => ({ caller })
const settle = () => new Promise((done) => setImmediate(done))

describe('FairSemaphore', () => {
  it('gives free slots to the groups in turn', async () => {
    const semaphore = new FairSemaphore(1)
    const [wide, narrow] = [query(), query()]
    const log: string[] = []
    const works = ['wide 1', 'wide 2', 'wide 3'].map((name) => start(semaphore, wide, name, log))
    works.push(start(semaphore, narrow, 'narrow', log))
    for (let turn = 0; turn < 4; turn += 1) {
      await settle()
      for (const work of works) work.finish()
    }
    await Promise.all(works.map(({ done }) => done))
    expect(log).toEqual(['wide 1', 'wide 2', 'narrow', 'wide 3'])
  })

  // rules.md#overload
  it('gives free slots to the callers in turn, however many queries one has', async () => {
    const semaphore = new FairSemaphore(1)
    const log: string[] = []
    const works = [1, 2, 3, 4].map((name) => start(semaphore, query('greedy'), `greedy ${name}`, log))
    works.push(start(semaphore, query('modest'), 'modest', log))
    for (let turn = 0; turn < 5; turn += 1) {
      await settle()
      for (const work of works) work.finish()
    }
    await Promise.all(works.map(({ done }) => done))
    expect(log).toEqual(['greedy 1', 'greedy 2', 'modest', 'greedy 3', 'greedy 4'])
  })

  it('never runs more work than it has slots, and frees the slot of work that failed', async () => {
    const semaphore = new FairSemaphore(2)
    let running = 0
    let most = 0
    const group = query()
    const work = async (): Promise<void> => {
      most = Math.max(most, (running += 1))
      await settle()
      running -= 1
      throw new Error('failed')
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => semaphore.run(group, never, work)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(9)
    expect(most).toBe(2)
  })

  it('rejects a waiter whose signal is aborted, and continues with the next', async () => {
    const semaphore = new FairSemaphore(1)
    const cancel = new AbortController()
    const log: string[] = []
    const first = start(semaphore, query(), 'first', log)
    const cancelled = start(semaphore, query(), 'cancelled', log, cancel.signal)
    const last = start(semaphore, query(), 'last', log)
    cancel.abort(new Error('cancelled'))
    await expect(cancelled.done).rejects.toThrow('cancelled')
    await settle()
    first.finish()
    await first.done
    await settle()
    last.finish()
    await last.done
    expect(log).toEqual(['first', 'last'])
  })
})
