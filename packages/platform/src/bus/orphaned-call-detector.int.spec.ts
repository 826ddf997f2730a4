import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type AppError, isErrorCode } from '@partsbus/contracts/app-error'
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
const log = createLog('test', 'silent')

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
  received: number
  /** how often it was asked for its calls */
  asked: number
  /** from now on it receives nothing, like a frozen process */
  frozen: boolean
}

/** A process of a service that replies to each call after `ms`. */
async function startMember(name: string, ms: number): Promise<Member> {
  const nc = await connect({ servers: nats.url })
  const member: Member = { nc, received: 0, asked: 0, frozen: false }
  const held = new InFlightCalls(log)
  held.listen(deafWhenFrozen(nc, member), 'test')
  nc.subscribe(slow.subject, {
    queue: 'test',
    callback: (_error, message) => {
      member.received += 1
      const call = message.headers?.get(busHeaders.call) ?? ''
      held.add(call)
      setTimeout(() => {
        if (!nc.isClosed() && !member.frozen) message.respond(JSON.stringify({ by: name }))
        held.remove(call)
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
                if (subject === inFlightCallsSubject('test')) member.asked += 1
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

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; !condition();) {
    if (Date.now() > end) throw new Error('The condition was not met in time')
    await new Promise((done) => setTimeout(done, 5))
  }
}

/** It takes 2 to 3 s, and longer on a busy machine; the deadline of the calls is much later. */
const IN_SECONDS_MS = 12_000

describe('a call whose process dies', () => {
  it('fails within seconds after the process has claimed it', async () => {
    const [dying] = [await startMember('dying', 20_000), await startMember('other', 20_000)]
    const answers = Array.from({ length: 20 }, () => ask(25_000))
    await until(() => dying.received > 0 && dying.asked > 1)
    const died = Date.now()
    await dying.nc.close()
    expect(await Promise.race(answers)).toBe('UNAVAILABLE')
    expect(Date.now() - died).toBeLessThan(IN_SECONDS_MS)
    await Promise.all(members.splice(0).map(({ nc }) => nc.close()))
    await Promise.all(answers)
  })

  it('fails within seconds, while calls of another process are answered', async () => {
    const [dying] = [await startMember('dying', 6_000), await startMember('other', 6_000)]
    const started = Date.now()
    const answers = Array.from({ length: 20 }, () =>
      ask(25_000).then((outcome) => ({ outcome, ms: Date.now() - started })),
    )
    await until(() => members.reduce((sum, { received }) => sum + received, 0) === 20)
    await dying.nc.close()
    const seen = await Promise.all(answers)
    expect(dying.received).toBeGreaterThan(0)
    expect(seen.filter(({ outcome }) => outcome === 'other')).toHaveLength(20 - dying.received)
    const lost = seen.filter(({ outcome }) => outcome === 'UNAVAILABLE')
    expect(lost).toHaveLength(dying.received)
    for (const { ms } of lost) expect(ms).toBeLessThan(IN_SECONDS_MS)
  })

  it('fails when it was the only process', async () => {
    const only = await startMember('only', 20_000)
    const started = Date.now()
    const answer = ask(25_000)
    await until(() => only.received === 1)
    await only.nc.close()
    expect(await answer).toBe('UNAVAILABLE')
    expect(Date.now() - started).toBeLessThan(IN_SECONDS_MS)
  })

  it('fails when it was the only process and a new one starts at once', async () => {
    const only = await startMember('only', 20_000)
    const started = Date.now()
    const answer = ask(25_000)
    await until(() => only.received === 1)
    await only.nc.close()
    await startMember('next', 0)
    expect(await answer).toBe('UNAVAILABLE')
    expect(Date.now() - started).toBeLessThan(IN_SECONDS_MS)
    expect(await ask(10_000)).toBe('next')
  })
})

describe('a slow call', () => {
  it('is answered when its process was too busy to reply to the first question', async () => {
    // a process that counts, so that the question is answered at all
    const [busy] = [await startMember('busy', 3_000), await startMember('other', 3_000)]
    busy.frozen = true
    const answers = Array.from({ length: 20 }, () => ask(10_000))
    await until(() => busy.asked > 0)
    busy.frozen = false
    const outcomes = await Promise.all(answers)
    expect(outcomes.filter((outcome) => outcome === 'UNAVAILABLE')).toEqual([])
    expect(outcomes).toContain('busy')
  })

  it('costs its process one small request every other second, and the other processes none', async () => {
    const [one, other] = [await startMember('one', 5_000), await startMember('other', 5_000)]
    await ask(10_000)
    // one count at the start, one question for the unclaimed call, at most one count later
    expect(one.asked).toBeLessThanOrEqual(3)
    expect(other.asked).toBeLessThanOrEqual(3)
  })

  it('is answered', async () => {
    await startMember('slow', 4_000)
    expect(await ask(10_000)).toBe('slow')
  })

  it('times out at its deadline when its process is frozen, whatever other processes report', async () => {
    const [freezing, other] = [await startMember('freezing', 8_000), await startMember('other', 0)]
    const answers: Array<Promise<string>> = []
    await until(() => {
      answers.push(ask(6_000))
      return freezing.received > 0
    })
    // its reply is sent by then, so the caller knows the process
    await until(() => freezing.asked > 0)
    await freezing.nc.flush()
    freezing.frozen = true
    const outcomes = await Promise.all(answers)
    expect(outcomes.filter((outcome) => outcome === 'other')).toHaveLength(other.received)
    expect(outcomes.filter((outcome) => outcome === 'TIMEOUT')).toHaveLength(freezing.received)
  })

  it('is answered when its service never reports its calls', async () => {
    const nc = await connect({ servers: nats.url })
    members.push({ nc, received: 0, asked: 0, frozen: false })
    nc.subscribe('untold.things.slow', {
      callback: (_error, message) => {
        setTimeout(() => message.respond('{"by":"plain"}'), 3_000)
      },
    })
    await nc.flush()
    const plain = command('untold.things.slow', { request: z.object({}), reply: z.object({ by: z.string() }) })
    expect(await calls.request(plain, {}, { timeoutMs: 10_000 })).toEqual({ by: 'plain' })
  })

  it('is answered when no process replies to the question', async () => {
    const nc = await connect({ servers: nats.url })
    members.push({ nc, received: 0, asked: 0, frozen: false })
    nc.subscribe(inFlightCallsSubject('test'), { callback: () => undefined })
    nc.subscribe(slow.subject, {
      queue: 'test',
      callback: (_error, message) => {
        setTimeout(() => message.respond(JSON.stringify({ by: 'plain' })), 3_000)
      },
    })
    await nc.flush()
    expect(await ask(10_000)).toBe('plain')
  })
})
