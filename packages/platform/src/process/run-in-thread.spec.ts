import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runInThread } from './run-in-thread.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-thread-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(body: string, signal = new AbortController().signal): Promise<unknown> {
  const script = join(folder, 'thread.mjs')
  writeFileSync(script, `import { parentPort, workerData } from 'node:worker_threads'\n${body}`)
  return runInThread(script, { number: 20 }, { signal, maxMemoryMb: 64 })
}

describe('runInThread', () => {
  it('returns the message of the thread', async () => {
    expect(await run('parentPort.postMessage(workerData.number + 1)')).toBe(21)
  })

  it('rejects with an error that the thread did not catch, in a callback too', async () => {
    await expect(run('setTimeout(() => { throw new TypeError("late") }); setInterval(() => {}, 1000)')).rejects.toThrow(
      'late',
    )
  })

  it('rejects when the thread needs too much memory, exits or posts nothing', async () => {
    await expect(run('const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length))')).rejects.toThrow('memory')
    await expect(run('process.exit(1)')).rejects.toThrow('without a result')
    await expect(run('')).rejects.toThrow('without a result')
  })

  it('ends the thread when the signal fires', async () => {
    const stop = new AbortController()
    const result = run('for (;;);', stop.signal)
    setImmediate(() => stop.abort(new Error('stopped')))
    await expect(result).rejects.toThrow('stopped')
  })
})
