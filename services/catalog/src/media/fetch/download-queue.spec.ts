import { expect, it } from '@jest/globals'
import { DownloadQueue } from './download-queue.js'

/** Starts work that a test ends, and records running work. */
function workers(queue: DownloadQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string): Promise<void> =>
    queue.run(name.charAt(0), () => {
      started.push(name)
      return new Promise<void>((done) => ends.set(name, done))
    })
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { started, run, end }
}

it('lets hosts take turns within the limits of each host and of all hosts', async () => {
  const { started, run, end } = workers(new DownloadQueue({ total: 3, perHost: 2 }))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) void run(name)
  await new Promise(setImmediate)
  expect(started).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(started.slice(3)).toEqual(['c1'])
  await end('a1')
  expect(started.slice(4)).toHaveLength(1)
  for (const name of ['a2', 'c1', 'c2', 'a3', 'a4']) await end(name)
  expect(started.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'])
})

it('releases its slot when the work fails', async () => {
  const queue = new DownloadQueue({ total: 1, perHost: 1 })
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(queue.run('a', () => Promise.resolve(1))).resolves.toBe(1)
})
