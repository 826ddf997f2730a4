import { describe, expect, it } from '@jest/globals'
import { SingleFlight } from './single-flight.js'

/** Work that never ends by itself. */
function endless() {
  const signals: AbortSignal[] = []
  return {
    signals,
    work: (signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<never>(() => undefined)
    },
  }
}

describe('SingleFlight', () => {
  it('runs overlapping work of one key once, and again afterwards', async () => {
    const flights = new SingleFlight()
    let asked = 0
    const work = async (): Promise<number> => ++asked
    expect(
      await Promise.all([flights.run('a', 1_000, work), flights.run('a', 1_000, work), flights.run('b', 1_000, work)]),
    ).toEqual([1, 1, 2])
    expect(await flights.run('a', 1_000, work)).toBe(3)
  })

  it('times out each caller at its own limit and cancels the work after the last', async () => {
    const flights = new SingleFlight()
    const { signals, work } = endless()
    const [short, long] = [flights.run('a', 10, work), flights.run('a', 60, work)]
    await expect(short).rejects.toMatchObject({ code: 'TIMEOUT', message: 'No answer within 10 ms.' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await expect(long).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('starts new work after a timeout although the cancelled work has not ended', async () => {
    const flights = new SingleFlight()
    const { signals, work } = endless()
    await flights.run('a', 5, work).catch(() => undefined)
    await flights.run('a', 5, work).catch(() => undefined)
    expect(signals).toHaveLength(2)
  })

  it('rejects every caller when the work fails', async () => {
    const flights = new SingleFlight()
    const work = () => Promise.reject(new Error('no'))
    const outcomes = await Promise.allSettled([flights.run('a', 1_000, work), flights.run('a', 1_000, work)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
