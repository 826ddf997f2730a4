import { describe, expect, it, jest } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { Admission, type Reserve } from './admission.js'
import { ConcurrencyLimit } from './concurrency-limit.js'

const succeed = async (): Promise<string> => 'done'
const body = Buffer.from('body')
const overloaded = expect.objectContaining({ code: 'OVERLOADED' })

/** Work or an arriving body that the test ends. */
function pending(): { work: () => Promise<void>; read: () => Promise<Buffer>; end: () => void } {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => ended, read: () => ended.then(() => body), end: () => end() }
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
    const arriving = pending()
    const slow = [1, 2].map(() => admission.receive(arriving.read, succeed))
    expect(await admission.receive(async () => body, succeed)).toBe('done')
    expect(await admission.run(succeed)).toBe('done')
    arriving.end()
    await Promise.allSettled(slow)
  })

  it('refuses bodies beyond the number that may arrive at once', async () => {
    const admission = new Admission({ requests: 10, arriving: 2, bytes: 100 })
    const arriving = pending()
    const slow = [1, 2].map(() => admission.receive(arriving.read, succeed))
    await expect(admission.receive(async () => body, succeed)).rejects.toEqual(overloaded)
    expect(await admission.run(succeed)).toBe('done')
    arriving.end()
    expect(await Promise.all(slow)).toEqual(['done', 'done'])
    expect(await admission.receive(async () => body, succeed)).toBe('done')
  })

  it('refuses a body before it is read when every slot is occupied', async () => {
    const admission = new Admission({ requests: 1, bytes: 100 })
    const work = pending()
    const first = admission.run(work.work)
    let isRead = false
    const read = async (): Promise<Buffer> => {
      isRead = true
      return body
    }
    await expect(admission.receive(read, succeed)).rejects.toEqual(overloaded)
    expect(isRead).toBe(false)
    work.end()
    await first
  })

  it('admits fewer requests when services time out', async () => {
    const admission = new Admission({ requests: 200, bytes: 100, target: { ms: 1_000, msPerMib: 0 } })
    const clock = jest.spyOn(performance, 'now')
    const work = pending()
    const started = Array.from({ length: 200 }, () =>
      admission.run(async () => {
        await work.work()
        throw new AppError('TIMEOUT', 'too late')
      }),
    )
    work.end()
    await Promise.allSettled(started)
    // the next request ends the window
    clock.mockReturnValue(performance.now() + 300)
    await admission.run(succeed)
    clock.mockRestore()
    const next = pending()
    const requests = Array.from({ length: 200 }, () => admission.run(next.work))
    next.end()
    const outcomes = await Promise.allSettled(requests)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  })

  it('lets a burst wait for slots, in its order', async () => {
    const admission = new Admission({ requests: 2, bytes: 100, maxWaitMs: 5_000 })
    const works = Array.from({ length: 6 }, pending)
    const started: number[] = []
    const requests = works.map(({ work }, index) =>
      admission.run(() => {
        started.push(index)
        return work()
      }),
    )
    expect(started).toEqual([0, 1])
    for (const [index, { end }] of works.entries()) {
      end()
      await requests[index]
      expect(started.length).toBeLessThanOrEqual(index + 3)
    }
    expect(started).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('keeps a body that waits for a slot among the bytes in memory', async () => {
    const admission = new Admission({ requests: 1, bytes: 100, maxWaitMs: 5_000 })
    const work = pending()
    const first = admission.run(work.work)
    const second = admission.receive(async (reserve) => {
      reserve(60)
      return body
    }, succeed)
    const read = async (reserve: Reserve): Promise<Buffer> => {
      reserve(41)
      return body
    }
    await expect(admission.receive(read, succeed)).rejects.toEqual(overloaded)
    work.end()
    await first
    expect(await second).toBe('done')
  })
})

describe('the concurrency limit', () => {
  const open = (): ConcurrencyLimit => new ConcurrencyLimit({ initial: 40, min: 4, max: 48 })
  /** Requests that finish in half a second, all of which started at `startedAt`. */
  const record = (limit: ConcurrencyLimit, pressures: number[], startedAt: number, inProgress = 40): void => {
    for (const [index, pressure] of pressures.entries())
      limit.record(startedAt, pressure, inProgress, startedAt + (index * 500) / (pressures.length - 1))
  }
  const fast = Array<number>(20).fill(0.5)
  const slow = Array<number>(20).fill(2)

  it('grows up to its maximum while it is in use and requests are fast', () => {
    const limit = open()
    record(limit, fast, 0)
    expect(limit.current).toBe(44)
    for (let count = 1; count < 5; count += 1) record(limit, fast, count * 1_000, 48)
    expect(limit.current).toBe(48)
  })

  it('does not grow while it is not in use', () => {
    const limit = open()
    record(limit, fast, 0, 10)
    expect(limit.current).toBe(40)
  })

  it('does not fall because of a few slow requests among many', () => {
    const limit = open()
    record(limit, [...fast, 50, 50, 50], 0)
    expect(limit.current).toBe(44)
  })

  it('falls once for requests that queued together, down to its minimum', () => {
    const limit = open()
    record(limit, [...slow, ...slow], 0)
    expect(limit.current).toBe(20)
    for (let count = 1; count < 10; count += 1) record(limit, slow, count * 1_000, limit.current)
    expect(limit.current).toBe(4)
  })
})
