import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import { Admission } from './admission.js'
import { ConcurrencyLimit } from './concurrency-limit.js'

const succeed = async (): Promise<string> => 'done'
const overloaded = expect.objectContaining({ code: 'OVERLOADED' })

/** Work that ends when the test says so. */
function pending(): { work: () => Promise<void>; end: () => void } {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => ended, end: () => end() }
}

describe('admission', () => {
  it('refuses requests beyond the limit at once, and admits again when one has finished', async () => {
    const admission = new Admission({ requests: 2, bytes: 100 })
    const [one, two] = [pending(), pending()]
    const first = admission.run(one.work)
    const second = admission.run(two.work)
    await expect(admission.run(succeed)).rejects.toEqual(overloaded)
    one.end()
    await first
    expect(await admission.run(succeed)).toBe('done')
    two.end()
    await second
  })

  it('refuses bytes beyond the limit, and releases those of a failed request', async () => {
    const admission = new Admission({ requests: 10, bytes: 100 })
    await expect(
      admission.run(async (reserve) => {
        reserve(60)
        await expect(admission.run(async (more) => more(41))).rejects.toEqual(overloaded)
        await admission.run(async (more) => more(40))
        throw new Error('broken')
      }),
    ).rejects.toThrow('broken')
    await admission.run(async (reserve) => reserve(100))
  })

  it('occupies no slot while a body arrives', async () => {
    const admission = new Admission({ requests: 1, arriving: 3, bytes: 100 })
    const body = pending()
    const slow = [1, 2].map(() => admission.receive(body.work, succeed))
    expect(await admission.receive(succeed, succeed)).toBe('done')
    expect(await admission.run(succeed)).toBe('done')
    body.end()
    await Promise.allSettled(slow)
  })

  it('refuses bodies beyond the number that may arrive at once', async () => {
    const admission = new Admission({ requests: 10, arriving: 2, bytes: 100 })
    const body = pending()
    const slow = [1, 2].map(() => admission.receive(body.work, succeed))
    await expect(admission.receive(succeed, succeed)).rejects.toEqual(overloaded)
    expect(await admission.run(succeed)).toBe('done')
    body.end()
    expect(await Promise.all(slow)).toEqual(['done', 'done'])
    expect(await admission.receive(succeed, succeed)).toBe('done')
  })

  it('refuses a body before it is read when every slot is occupied', async () => {
    const admission = new Admission({ requests: 1, bytes: 100 })
    const work = pending()
    const first = admission.run(work.work)
    let isRead = false
    const read = async (): Promise<void> => {
      isRead = true
    }
    await expect(admission.receive(read, succeed)).rejects.toEqual(overloaded)
    expect(isRead).toBe(false)
    work.end()
    await first
  })

  it('admits fewer requests when services time out', async () => {
    const admission = new Admission({ requests: 200, bytes: 100, targetMs: 1_000 })
    const timeOut = async (): Promise<never> => {
      throw new AppError('TIMEOUT', 'too late')
    }
    for (let round = 0; round < 20; round += 1) await admission.run(timeOut).catch(() => undefined)
    const work = pending()
    const requests = Array.from({ length: 32 }, () => admission.run(work.work))
    work.end()
    const outcomes = await Promise.allSettled(requests)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  })
})

describe('the concurrency limit', () => {
  const open = (): ConcurrencyLimit => new ConcurrencyLimit({ initial: 10, min: 4, max: 12 })

  it('grows up to its maximum while it is in use and requests are fast', () => {
    const limit = open()
    for (let count = 0; count < 10; count += 1) limit.record(0, false, 9, 1)
    expect(limit.current).toBe(12)
  })

  it('does not grow while it is not in use', () => {
    const limit = open()
    for (let count = 0; count < 10; count += 1) limit.record(0, false, 1, 1)
    expect(limit.current).toBe(10)
  })

  it('is lowered once for requests that queued together, down to its minimum', () => {
    const limit = open()
    for (let count = 0; count < 5; count += 1) limit.record(0, true, 10, 100)
    expect(limit.current).toBe(7)
    limit.record(150, true, 7, 200)
    limit.record(250, true, 7, 300)
    limit.record(350, true, 7, 400)
    expect(limit.current).toBe(4)
  })
})
