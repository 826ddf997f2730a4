import { describe, expect, it } from '@jest/globals'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pause, repeat, spread } from './repeat.js'

const HOUR_MS = 3_600_000
const unexpected = (error: unknown): never => {
  throw error
}

async function reaches(isReached: () => boolean): Promise<void> {
  while (!isReached()) await nextTurn()
}

describe('repeat', () => {
  it('runs at once, and again after each pause, until it is stopped', async () => {
    let runs = 0
    const loop = repeat(() => Promise.resolve((runs += 1)), { everyMs: 1, failed: unexpected })
    await reaches(() => runs >= 3)
    await loop.stop()
    const atStop = runs
    await nextTurn()
    expect(runs).toBe(atStop)
  })

  it('waits before the first run when told to', async () => {
    let runs = 0
    const loop = repeat(() => Promise.resolve((runs += 1)), { everyMs: 1, firstMs: HOUR_MS, failed: unexpected })
    await nextTurn()
    await loop.stop()
    expect(runs).toBe(0)
  })

  it('never begins a run before the last one has ended', async () => {
    let running = 0
    let peak = 0
    let runs = 0
    const work = async (): Promise<void> => {
      peak = Math.max(peak, (running += 1))
      await nextTurn()
      await nextTurn()
      running -= 1
      runs += 1
    }
    const loop = repeat(work, { everyMs: 0, failed: unexpected })
    await reaches(() => runs >= 5)
    await loop.stop()
    expect(peak).toBe(1)
  })

  it('reports a failure and goes on', async () => {
    const failures: unknown[] = []
    const loop = repeat(() => Promise.reject(new Error('broken')), {
      everyMs: 1,
      failed: (error) => void failures.push(error),
    })
    await reaches(() => failures.length >= 3)
    await loop.stop()
    expect(failures[0]).toEqual(new Error('broken'))
  })

  it('pauses after a failure for as long as the report says', async () => {
    let runs = 0
    const loop = repeat(() => ((runs += 1) > 2 ? Promise.resolve() : Promise.reject(new Error('broken'))), {
      everyMs: HOUR_MS,
      failed: () => 1,
    })
    await reaches(() => runs === 3)
    await loop.stop()
    expect(runs).toBe(3)
  })

  it('tells its work to stop, and waits for it', async () => {
    let hasEnded = false
    const loop = repeat(
      async (stop) => {
        await pause(HOUR_MS, stop)
        hasEnded = true
      },
      { everyMs: HOUR_MS, failed: unexpected },
    )
    await loop.stop()
    expect(hasEnded).toBe(true)
  })

  it.each([
    [0, 75],
    [0.5, 100],
    [1, 125],
  ])('spreads a pause by a quarter each way: %d', (random, ms) => {
    expect(spread(100, () => random)).toBe(ms)
  })
})
