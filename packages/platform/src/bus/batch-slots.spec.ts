import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { BatchSlots } from './batch-slots.js'

let now = 1_000
beforeEach(() => {
  now = 1_000
  jest.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  jest.restoreAllMocks()
})

/** Work that the test ends. */
function open(slots: BatchSlots, count: number, until = Infinity) {
  const started: number[] = []
  const ends: Array<() => void> = []
  const outcomes = Array.from({ length: count }, (_, index) =>
    slots
      .run(until, () => {
        started.push(index)
        return new Promise<void>((end) => ends.push(end))
      })
      .then(
        () => 'done',
        ({ code }: { code: string }) => code,
      ),
  )
  return { started, ends, outcomes }
}
const settle = (): Promise<void> => new Promise((done) => setImmediate(done))

describe('the slots for batches (rules.md#overload)', () => {
  it('start batches in order of arrival, as many at a time as there are', async () => {
    const { started, ends, outcomes } = open(new BatchSlots(2), 4)
    expect(started).toEqual([0, 1])
    for (let count = 0; count < 4; count += 1) {
      ends[count]?.()
      await settle()
    }
    expect(started).toEqual([0, 1, 2, 3])
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('start the next batch once when one ends its turn before it ends itself', async () => {
    const slots = new BatchSlots(1)
    let end: () => void = () => undefined
    const early = slots.run(Infinity, (endTurn) => {
      endTurn()
      return new Promise<void>((done) => (end = done))
    })
    const next = open(slots, 2)
    expect(next.started).toEqual([0])
    end()
    await early
    expect(next.started).toEqual([0])
    next.ends[0]?.()
    await settle()
    expect(next.started).toEqual([0, 1])
  })

  it('do not start a batch whose caller has given up', async () => {
    const slots = new BatchSlots(1)
    const first = open(slots, 1)
    const late = open(slots, 1, 1_500)
    const next = open(slots, 1, 9_000)
    now = 2_000
    first.ends[0]?.()
    await settle()
    expect([late.started, next.started]).toEqual([[], [0]])
    expect(await late.outcomes[0]).toBe('OVERLOADED')
    next.ends[0]?.()
    expect(await next.outcomes[0]).toBe('done')
    expect(open(slots, 1).started).toEqual([0])
  })

  it('measure how long the first one waits', async () => {
    const slots = new BatchSlots(1)
    expect(slots.delay()).toBe(0)
    const { ends } = open(slots, 2)
    now = 1_400
    expect(slots.delay()).toBe(400)
    ends[0]?.()
    await settle()
    expect(slots.delay()).toBe(0)
  })
})
