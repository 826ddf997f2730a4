import { describe, expect, it } from '@jest/globals'
import { BackgroundWork } from './background-work.js'

describe('work in the background', () => {
  it('is waited for when it is drained', async () => {
    const work = new BackgroundWork()
    let end = (): void => undefined
    work.add(new Promise<void>((done) => (end = done)), () => undefined)
    let isDrained = false
    const drained = work.drain().then(() => (isDrained = true))
    await new Promise(setImmediate)
    expect(isDrained).toBe(false)
    end()
    await drained
    expect(isDrained).toBe(true)
  })

  it('reports a failure, which does not fail the drain', async () => {
    const work = new BackgroundWork()
    const failures: unknown[] = []
    work.add(Promise.reject(new Error('broken')), (error) => failures.push(error))
    await work.drain()
    expect(failures).toEqual([new Error('broken')])
  })
})
