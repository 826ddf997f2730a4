import { describe, expect, it } from '@jest/globals'
import { Semaphore } from './semaphore.js'

/** Work that a test ends. */
function work() {
  const running: Array<() => void> = []
  return {
    running,
    start: () =>
      new Promise<void>((done) => {
        running.push(done)
      }),
  }
}
const settle = () => new Promise((done) => setImmediate(done))

describe('places', () => {
  it('so many at a time, the others in the order they came', async () => {
    const places = new Semaphore(2)
    const { running, start } = work()
    const order: number[] = []
    const { signal } = new AbortController()
    const all = [1, 2, 3, 4].map((name) =>
      places.run(signal, async () => {
        order.push(name)
        await start()
      }),
    )
    await settle()
    expect(order).toEqual([1, 2])
    running[1]?.()
    await settle()
    expect(order).toEqual([1, 2, 3])
    running[0]?.()
    await settle()
    expect(order).toEqual([1, 2, 3, 4])
    for (const end of running) end()
    await Promise.all(all)
  })

  it('an aborted waiter uses no slot, and a failure releases its own', async () => {
    const places = new Semaphore(1)
    const { running, start } = work()
    const calm = new AbortController()
    const hasty = new AbortController()
    const first = places.run(calm.signal, start)
    const left = places.run(hasty.signal, async () => 'never')
    const last = places.run(calm.signal, () => Promise.reject(new Error('broken')))
    hasty.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    running[0]?.()
    await first
    await expect(last).rejects.toThrow('broken')
    expect(await places.run(calm.signal, async () => 'free')).toBe('free')
    await expect(places.run(hasty.signal, async () => 'never')).rejects.toThrow('gone')
  })
})
