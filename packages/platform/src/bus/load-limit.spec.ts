import { afterEach, describe, expect, it } from '@jest/globals'
import { LoadLimit } from './load-limit.js'

const idle = { eventLoop: 0, connection: 0 }
let limit: LoadLimit
afterEach(() => limit.stop())
const open = (): LoadLimit => (limit = new LoadLimit(() => idle))

/** Enters requests until one is refused, and leaves again. @returns how many were admitted */
function fill(isUrgent: boolean): number {
  let count = 0
  while (limit.enter(isUrgent)) count += 1
  for (let left = count; left > 0; left -= 1) limit.leave(isUrgent)
  return count
}

describe('the load limit of a service', () => {
  it('leaves a quarter to the ERP', () => {
    open()
    expect([fill(false), fill(true)]).toEqual([750, 1_000])
  })

  it('admits batches of the ERP however many others are in progress', () => {
    open()
    while (limit.enter(false));
    limit.adjust({ eventLoop: 10_000, connection: 0 })
    expect([fill(false), fill(true)]).toEqual([0, 375])
  })

  it.each([
    ['the event loop is late', { eventLoop: 200, connection: 0 }],
    ['work waits for the database', { eventLoop: 0, connection: 2_000 }],
  ])('falls while %s, and grows again with use', (_what, late) => {
    open()
    for (let count = 0; count < 3; count += 1) {
      fill(true)
      limit.adjust(late)
    }
    expect(fill(true)).toBe(125)
    for (let count = 0; count < 40; count += 1) {
      fill(true)
      limit.adjust(idle)
    }
    expect(fill(true)).toBe(1_000)
  })

  it('grows again where no batches of the ERP come', () => {
    open()
    for (let count = 0; count < 20; count += 1) {
      fill(false)
      limit.adjust({ eventLoop: 10_000, connection: 0 })
    }
    for (let count = 0; count < 40; count += 1) {
      fill(false)
      limit.adjust(idle)
    }
    expect(fill(false)).toBe(750)
  })

  it('admits a few requests whatever the delay', () => {
    open()
    for (let count = 0; count < 20; count += 1) {
      fill(true)
      limit.adjust({ eventLoop: 10_000, connection: 0 })
    }
    expect(fill(true)).toBe(64)
  })

  it('does not fall because of a delay while few requests are in progress', () => {
    open()
    limit.enter(false)
    limit.adjust({ eventLoop: 10_000, connection: 0 })
    expect(fill(true)).toBe(1_000)
  })
})
