import { describe, expect, it } from '@jest/globals'
import { PasswordQueue } from './password-queue.js'

/** Work that ends when the test says. */
function openWork() {
  const ends: Array<() => void> = []
  return {
    ends,
    work: () => new Promise<void>((resolve) => ends.push(resolve)),
  }
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the queue of password hashes (admin.md#throttling)', () => {
  it('runs two at once, lets 20 wait, and refuses the next', async () => {
    const queue = new PasswordQueue()
    const { ends, work } = openWork()
    const runs = Array.from({ length: 22 }, (_, at) => queue.run(`${at}`, work))
    await expect(queue.run('x', work)).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(ends).toHaveLength(2)
    while (ends.length > 0) {
      expect(ends.length).toBeLessThanOrEqual(2)
      ends.shift()?.()
      await settle()
    }
    await Promise.all(runs)
    const again = queue.run('x', work)
    ends.shift()?.()
    await again
  })

  it('lets known persons pass whoever waits', async () => {
    const queue = new PasswordQueue()
    const { ends, work } = openWork()
    const order: string[] = []
    const run = (name: string, isKnown: boolean) =>
      queue.run(name, () => work().then(() => void order.push(name)), isKnown)
    const runs = Array.from({ length: 22 }, (_, at) => run(`${at}`, false))
    runs.push(run('known', true))
    while (ends.length > 0) {
      ends.shift()?.()
      await settle()
    }
    await Promise.all(runs)
    expect(order.slice(0, 4)).toEqual(['0', '1', 'known', '2'])
  })

  it('runs attempts with the same key one after another', async () => {
    const queue = new PasswordQueue()
    const { ends, work } = openWork()
    const runs = [queue.run('same', work), queue.run('same', work)]
    await settle()
    expect(ends).toHaveLength(1)
    ends.shift()?.()
    await settle()
    expect(ends).toHaveLength(1)
    ends.shift()?.()
    await Promise.all(runs)
  })

  it('continues after work that failed', async () => {
    const queue = new PasswordQueue()
    const fail = queue.run('same', () => Promise.reject(new Error('failed')))
    const next = queue.run('same', async () => 'done')
    await expect(fail).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})
