import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { UploadQueue, type UploadQueueLimits } from './upload-queue.js'

const overloaded = expect.objectContaining({ code: 'OVERLOADED' })

/** An upload that has arrived, or one of which nothing does. @param bytes that it announces */
function request(complete = true, address = '192.0.2.1', bytes = 1_000) {
  const socket = Object.assign(new EventEmitter(), { bytesRead: 0 })
  const headers = { 'content-length': `${bytes}` }
  return { raw: { complete, socket, headers, isPaused: () => false } as unknown as IncomingMessage, socket, address }
}
/** An upload that arrives fast, and takes long. */
function large() {
  const { raw, ...rest } = request(false)
  let received = 0
  Object.defineProperty(raw.socket, 'bytesRead', { get: () => (received += 1024 * 1024) })
  return { raw, ...rest }
}
const open = (limits: Partial<UploadQueueLimits> = {}): UploadQueue =>
  new UploadQueue({ active: 2, slow: 1, waiting: 200, slowAfterMs: 30, maxWaitMs: 10_000, ...limits })

/** Work that the test ends, and the number that runs at a time. */
function stage() {
  const ends: Array<() => void> = []
  return {
    ends,
    work: (): Promise<void> => new Promise((resolve) => ends.push(resolve)),
    endAll: (): void => {
      for (const end of ends.splice(0)) end()
    },
  }
}

describe('the upload queue', () => {
  it('lets 200 uploads wait, and does each in its turn', async () => {
    const queue = open()
    const { ends, work, endAll } = stage()
    const uploads = Array.from({ length: 202 }, () => queue.run(request(), work))
    await expect(queue.run(request(), work)).rejects.toEqual(overloaded)
    expect(ends).toHaveLength(2)
    let finished = 0
    for (const upload of uploads) void upload.then(() => (finished += 1))
    expect(
      await waitUntil(
        () => {
          expect(ends.length).toBeLessThanOrEqual(2)
          endAll()
          return finished === 202
        },
        { withinMs: 20_000, everyMs: 1 },
      ),
    ).toBe(true)
  })

  it('moves uploads that arrive for long aside, as many as it may', async () => {
    const queue = open()
    const { ends, work, endAll } = stage()
    const uploads = Array.from({ length: 4 }, () => queue.run(large(), work))
    expect(await waitUntil(() => ends.length === 3, { withinMs: 20_000 })).toBe(true)
    endAll()
    expect(await waitUntil(() => ends.length === 1, { withinMs: 20_000 })).toBe(true)
    endAll()
    await Promise.all(uploads)
    const next = [1, 2].map(() => queue.run(request(), work))
    expect(await waitUntil(() => ends.length === 2, { withinMs: 20_000 })).toBe(true)
    endAll()
    await Promise.all(next)
  })

  it('gives the next place to the address with the fewest uploads (rules.md#overload)', async () => {
    const queue = open({ active: 2 })
    const order: string[] = []
    const { ends, work, endAll } = stage()
    const upload = (address: string) =>
      queue.run(request(true, address), () => {
        order.push(address)
        return work()
      })
    const uploads = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map(upload)
    expect(await waitUntil(() => ends.length === 2, { withinMs: 20_000 })).toBe(true)
    ends.shift()?.()
    expect(await waitUntil(() => order.length === 3, { withinMs: 20_000 })).toBe(true)
    expect(order.at(-1)).toBe('192.0.2.2')
    endAll()
    expect(await waitUntil(() => order.length === 4, { withinMs: 20_000 })).toBe(true)
    endAll()
    await Promise.all(uploads)
  })

  it('lets the slowest upload of the address with most give way while others wait (rules.md#overload)', async () => {
    const queue = open({ active: 2, slow: 1 })
    const gaveWay: number[] = []
    const { ends, work, endAll } = stage()
    const uploads = ['192.0.2.1', '192.0.2.2', '192.0.2.2'].map((address, index) =>
      queue.run(request(false, address), (signal) => {
        signal.addEventListener('abort', () => gaveWay.push(index))
        return work()
      }),
    )
    expect(await waitUntil(() => ends.length === 3, { withinMs: 20_000 })).toBe(true)
    await queue.run(request(true, '192.0.2.3'), async () => undefined)
    expect(gaveWay).toEqual([1])
    endAll()
    await Promise.all(uploads)
  })

  it('lets a slow upload give way to one that ends sooner, not to its like (rules.md#overload)', async () => {
    const queue = open({ active: 2, slow: 1, maxWaitMs: 300 })
    const gaveWay: string[] = []
    const { ends, work, endAll } = stage()
    const slow = (name: string, address: string) =>
      queue.run(request(false, address, 20_000_000), (signal) => {
        signal.addEventListener('abort', () => gaveWay.push(name))
        return work()
      })
    const uploads = [slow('a1', '192.0.2.1'), slow('a2', '192.0.2.1'), slow('b1', '192.0.2.2')]
    expect(await waitUntil(() => ends.length === 3, { withinMs: 20_000 })).toBe(true)
    // of those that would hold as many as the other afterwards, or more
    const others = [slow('a3', '192.0.2.1'), slow('b2', '192.0.2.2')]
    for (const other of others) await expect(other).rejects.toEqual(overloaded)
    expect(gaveWay).toEqual([])
    await queue.run(request(true, '192.0.2.1', 19_000_000), async () => undefined)
    expect(gaveWay).toEqual(['a1'])
    endAll()
    await Promise.all(uploads)
  })

  it('keeps uploads that have arrived active while they are checked', async () => {
    const queue = open({ active: 1, maxWaitMs: 150 })
    const { work, endAll } = stage()
    const first = queue.run(request(), work)
    await expect(queue.run(request(), work)).rejects.toEqual(overloaded)
    endAll()
    await first
  })

  it('removes a waiting upload whose client has disconnected', async () => {
    const queue = open({ active: 1, waiting: 1 })
    const { ends, work, endAll } = stage()
    const first = queue.run(request(), work)
    const gone = request()
    const second = queue.run(gone, work)
    gone.socket.emit('close')
    await expect(second).rejects.toEqual(overloaded)
    const third = queue.run(request(), work)
    endAll()
    await first
    expect(await waitUntil(() => ends.length === 1, { withinMs: 20_000 })).toBe(true)
    endAll()
    await third
  })
})
