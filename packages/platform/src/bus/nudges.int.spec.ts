import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { createLog } from '../process/log.js'
import { type BusConnection, connectBus } from './connection.js'
import { Nudges } from './nudges.js'

const plan = {
  name: 'THINGS',
  subjects: ['jobs.test.things'],
  retention: 'work',
  maxBytes: 1_000_000,
  consumers: ['workers'],
} as const

let nats: NatsServer
let bus: BusConnection
beforeAll(async () => {
  nats = await startNats()
  bus = await connectBus({ url: nats.url, name: 'test', log: createLog('test', 'silent') })
})
afterAll(async () => {
  await bus.close()
  await nats.stop()
})

const unexpected = (error: unknown): never => {
  throw error
}
/** Waits for a nudge, and opens the stream by the way. */
const next = (nudges: Nudges) =>
  waitFor(
    () => nudges.next(1_000),
    (nudge) => nudge !== undefined,
  )

describe('nudges', () => {
  it('reach one worker, and again whoever asks after it was rejected', async () => {
    const nudges = new Nudges(bus, plan)
    expect(await nudges.next(1)).toBeUndefined()
    nudges.send({ ids: [1] }, unexpected)
    const first = await next(nudges)
    expect(first?.body).toEqual({ ids: [1] })
    first?.reject()
    const again = await next(new Nudges(bus, plan))
    expect(again?.body).toEqual({ ids: [1] })
    again?.acknowledge()
    expect(await nudges.next(1)).toBeUndefined()
  })

  it('have no body when the message has another form', async () => {
    const nudges = new Nudges(bus, plan)
    await nudges.next(1)
    bus.nc.publish('jobs.test.things', 'no JSON')
    const nudge = await next(nudges)
    expect(nudge).toMatchObject({ body: undefined })
    nudge?.acknowledge()
  })

  it('that cannot be published are reported, and not sent while the bus is down', async () => {
    const failures: unknown[] = []
    const nowhere = { ...plan, name: 'NOWHERE', subjects: ['jobs.test.nowhere'] }
    new Nudges(bus, nowhere).send({}, (error) => failures.push(error))
    await waitFor(
      async () => failures.length,
      (count) => count === 1,
    )
    new Nudges({ ...bus, isUp: () => false }, nowhere).send({}, (error) => failures.push(error))
    await bus.nc.flush()
    expect(failures).toHaveLength(1)
  })
})
