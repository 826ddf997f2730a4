import { beforeEach, describe, expect, it } from '@jest/globals'
import { Readiness } from './readiness.js'

let now = 0
let bus = true
let database = true
beforeEach(() => {
  now = 1_000
  bus = true
  database = true
})

function readiness(graceMs: number): Readiness {
  const created = new Readiness({
    isBusUp: () => bus,
    dependency: { name: 'database', isUp: () => Promise.resolve(database), graceMs },
    // time passes while the checks run
    now: () => (now += 1),
  })
  created.set(true)
  return created
}

describe('Readiness', () => {
  it('requires the start to be complete, the bus and the database', async () => {
    const ready = readiness(0)
    expect(await ready.unreadyReason()).toBeUndefined()
    database = false
    expect(await ready.unreadyReason()).toBe('the database is down')
    bus = false
    expect(await ready.unreadyReason()).toBe('the bus is down')
    ready.set(false)
    expect(await ready.unreadyReason()).toBe('starting or stopping')
  })

  it('lasts through an election of the database, and ends when the outage is longer', async () => {
    const ready = readiness(30_000)
    expect(await ready.unreadyReason()).toBeUndefined()
    database = false
    now += 29_000
    expect(await ready.unreadyReason()).toBeUndefined()
    now += 2_000
    expect(await ready.unreadyReason()).toBe('the database is down')
    database = true
    expect(await ready.unreadyReason()).toBeUndefined()
  })

  it('does not begin before the database was up once', async () => {
    database = false
    expect(await readiness(30_000).unreadyReason()).toBe('the database is down')
  })
})
