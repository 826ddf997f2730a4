import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type AppError, isErrorCode } from '@partsbus/contracts/errors'
import { busHeaders, command, inFlightCallsSubject } from '@partsbus/contracts/message'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { z } from 'zod'
import { BusClient } from './client.js'
import { type BusConnection, connectBus } from './connection.js'
import { InFlightCalls } from './in-flight-calls.js'
import { createLog } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'

const slow = command('test.things.slow', { request: z.object({}), reply: z.object({ by: z.string() }) })

let nats: NatsServer
let caller: BusConnection
let calls: BusClient
const members: Member[] = []

beforeAll(async () => {
  nats = await startNats()
  caller = await connectBus({ url: nats.url, name: 'caller', log: createLog('caller', 'silent') })
  calls = new BusClient(caller, createMetrics('caller'))
})
afterEach(async () => {
  for (const { nc } of members.splice(0)) await nc.close()
})
afterAll(async () => {
  await caller.close()
  await nats.stop()
})

interface Member {
  nc: NatsConnection
  taken: number
  /** from now on it hears nothing, as a process that is frozen */
  frozen: boolean
}

/** A process of a service that answers each call after `ms`. */
async function startMember(name: string, ms: number): Promise<Member> {
  const nc = await connect({ servers: nats.url })
  const member: Member = { nc, taken: 0, frozen: false }
  const held = new InFlightCalls()
  held.listen(deafWhenFrozen(nc, member), 'test')
  nc.subscribe(slow.subject, {
    queue: 'test',
    callback: (_error, message) => {
      member.taken += 1
      const call = message.headers?.get(busHeaders.call) ?? ''
      held.hold(call)
      setTimeout(() => {
        if (!nc.isClosed() && !member.frozen) message.respond(JSON.stringify({ by: name }))
        held.release(call)
      }, ms).unref()
    },
  })
  await nc.flush()
  members.push(member)
  return member
}

function deafWhenFrozen(nc: NatsConnection, member: Member): NatsConnection {
  return new Proxy(nc, {
    get: (target, key) =>
      key !== 'subscribe'
        ? (Reflect.get(target, key) as unknown)
        : (...[subject, options]: Parameters<NatsConnection['subscribe']>) =>
            target.subscribe(subject, {
              ...options,
              callback: (error, message) => {
                if (!member.frozen) options?.callback?.(error, message)
              },
            }),
  })
}

const ask = (timeoutMs: number): Promise<string> =>
  calls.request(slow, {}, { timeoutMs }).then(
    ({ by }) => by,
    ({ code }: AppError) => (isErrorCode(code) ? code : 'unknown'),
  )

async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !isSo();) {
    if (Date.now() > end) throw new Error('It did not become so')
    await new Promise((done) => setTimeout(done, 5))
  }
}

describe('a call whose process dies', () => {
  it('fails within seconds, and those that another process holds are answered', async () => {
    const [dying] = [await startMember('dying', 6_000), await startMember('other', 6_000)]
    const started = Date.now()
    const answers = Array.from({ length: 20 }, () =>
      ask(20_000).then((outcome) => ({ outcome, ms: Date.now() - started })),
    )
    await until(() => members.reduce((sum, { taken }) => sum + taken, 0) === 20)
    await dying.nc.close()
    const seen = await Promise.all(answers)
    expect(dying.taken).toBeGreaterThan(0)
    expect(seen.filter(({ outcome }) => outcome === 'other')).toHaveLength(20 - dying.taken)
    const lost = seen.filter(({ outcome }) => outcome === 'UNAVAILABLE')
    expect(lost).toHaveLength(dying.taken)
    for (const { ms } of lost) expect(ms).toBeLessThan(4_000)
  }, 20_000)

  it('fails also where it was the only one', async () => {
    const only = await startMember('only', 10_000)
    const started = Date.now()
    const answer = ask(20_000)
    await until(() => only.taken === 1)
    await only.nc.close()
    expect(await answer).toBe('UNAVAILABLE')
    expect(Date.now() - started).toBeLessThan(4_000)
  }, 20_000)

  it('fails also where it was the only one, and another one takes its place at once', async () => {
    const only = await startMember('only', 10_000)
    const started = Date.now()
    const answer = ask(20_000)
    await until(() => only.taken === 1)
    await only.nc.close()
    await startMember('next', 0)
    expect(await answer).toBe('UNAVAILABLE')
    expect(Date.now() - started).toBeLessThan(4_000)
    expect(await ask(1_000)).toBe('next')
  }, 20_000)
})

describe('a call that only takes long', () => {
  it('is waited for', async () => {
    await startMember('slow', 4_000)
    expect(await ask(10_000)).toBe('slow')
  }, 20_000)

  it('is waited for to its deadline where its process is frozen, whatever others say', async () => {
    const [freezing, other] = [await startMember('freezing', 8_000), await startMember('other', 0)]
    const answers: Array<Promise<string>> = []
    // seen while it could still answer
    await until(() => {
      answers.push(ask(6_000))
      return freezing.taken > 0
    })
    await new Promise((done) => setTimeout(done, 1_800))
    freezing.frozen = true
    const outcomes = await Promise.all(answers)
    expect(outcomes.filter((outcome) => outcome === 'other')).toHaveLength(other.taken)
    expect(outcomes.filter((outcome) => outcome === 'TIMEOUT')).toHaveLength(freezing.taken)
  }, 20_000)

  it('is waited for where its service never tells what it holds', async () => {
    const nc = await connect({ servers: nats.url })
    members.push({ nc, taken: 0, frozen: false })
    nc.subscribe('untold.things.slow', {
      callback: (_error, message) => {
        setTimeout(() => message.respond('{"by":"plain"}'), 3_000)
      },
    })
    await nc.flush()
    const plain = command('untold.things.slow', { request: z.object({}), reply: z.object({ by: z.string() }) })
    expect(await calls.request(plain, {}, { timeoutMs: 10_000 })).toEqual({ by: 'plain' })
  }, 20_000)

  it('is waited for where nobody answers who holds it', async () => {
    const nc = await connect({ servers: nats.url })
    members.push({ nc, taken: 0, frozen: false })
    nc.subscribe(inFlightCallsSubject('test'), { callback: () => undefined })
    nc.subscribe(slow.subject, {
      queue: 'test',
      callback: (_error, message) => {
        setTimeout(() => message.respond(JSON.stringify({ by: 'plain' })), 3_000)
      },
    })
    await nc.flush()
    expect(await ask(10_000)).toBe('plain')
  }, 20_000)
})
