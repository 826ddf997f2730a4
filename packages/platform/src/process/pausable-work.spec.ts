import { describe, expect, it } from '@jest/globals'
import { PausableWork } from './pausable-work.js'

describe('work that pauses', () => {
  it('rests from the start, and begins when it is resumed', async () => {
    const work = new PausableWork()
    expect(await work.run('import', async () => 'done')).toBeUndefined()
    work.resume()
    expect(await work.run('import', async () => 'done')).toBe('done')
  })

  it('finishes what it has begun, and is quiet then', () => {
    const work = new PausableWork()
    work.resume()
    const [first, second] = [work.begin('import'), work.begin('import')]
    work.pause()
    expect(work.begin('cleanup')).toBeUndefined()
    first?.()
    expect([work.isQuiet, work.busy]).toEqual([false, ['import']])
    second?.()
    expect([work.isQuiet, work.busy]).toEqual([true, []])
  })

  it('ends with work that fails', async () => {
    const work = new PausableWork()
    work.resume()
    await expect(work.run('import', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(work.busy).toEqual([])
  })

  it('counts what a request has brought, also while it rests', () => {
    const work = new PausableWork()
    const end = work.count('source')
    expect([work.isQuiet, work.busy]).toEqual([false, ['source']])
    end()
    expect(work.isQuiet).toBe(true)
  })

  it('counts how often it was resumed', () => {
    const work = new PausableWork()
    work.resume()
    work.resume()
    work.pause()
    work.resume()
    expect(work.resumed).toBe(2)
  })
})
