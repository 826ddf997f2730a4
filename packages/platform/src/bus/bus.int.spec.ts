import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import { batchCommand, command, MAX_PAYLOAD_BYTES } from '@partsbus/contracts/message'
import { defaultCallSettings } from '@partsbus/contracts/settings'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { headers } from '@nats-io/transport-node'
import { z } from 'zod'
import { BusClient } from './client.js'
import { type BusConnection, connectBus } from './connection.js'
import { BusServer } from './server.js'
import type { CallOf } from './call.js'
import { currentScope, runInScope } from './call-scope.js'
import { createLog } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'
import { Handles, PassErrors, Call } from './nest-adapter.js'

const echo = command('test.things.echo', {
  request: z.object({ text: z.string() }),
  reply: z.object({ text: z.string() }),
})
const inspect = command('test.things.inspect', {
  request: z.object({}),
  reply: z.object({ timeLeft: z.number(), requestId: z.string(), policy: z.string(), wait: z.number() }),
})
const fail = command('test.things.fail', { request: z.object({ code: z.string() }), reply: z.object({}) })
const slow = command('test.things.slow', {
  request: z.object({ ms: z.number() }),
  reply: z.object({ ok: z.boolean() }),
})
const fill = command('test.things.fill', {
  request: z.object({ bytes: z.number() }),
  reply: z.object({ text: z.string() }),
})
const many = batchCommand('test.things.many', {
  key: 'things',
  idField: 'id',
  item: z.object({ id: z.string() }),
  reply: z.object({ processed: z.number(), rejected: z.array(z.unknown()) }),
})
const nobody = command('test.things.nobody', { request: z.object({}), reply: z.object({}) })

@Controller()
class ThingsController {
  @Handles(echo) async echo(@Call(echo) { body }: CallOf<typeof echo>) {
    return { text: body.text }
  }
  @Handles(inspect) async inspect(@Call(inspect) call: CallOf<typeof inspect>) {
    return {
      timeLeft: call.timeLeft(),
      requestId: currentScope()?.requestId ?? '',
      policy: call.settings.erp_error_policy,
      wait: call.settings.media_wait_ms,
    }
  }
  @Handles(fail) async fail(@Call(fail) { body }: CallOf<typeof fail>): Promise<Record<string, never>> {
    if (body.code === 'CONFLICT') throw new AppError('CONFLICT', 'Storage 3 is in use.', { details: { id: 3 } })
    throw new Error('password=hunter2 at /srv/secret.js')
  }
  @Handles(slow) async slow(@Call(slow) { body }: CallOf<typeof slow>) {
    await new Promise((done) => setTimeout(done, body.ms))
    return { ok: true }
  }
  @Handles(fill) async fill(@Call(fill) { body }: CallOf<typeof fill>) {
    return { text: 'x'.repeat(body.bytes) }
  }
  @Handles(many) async many(@Call(many) { body }: CallOf<typeof many>) {
    return { processed: body.processed, rejected: body.rejected }
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const log = createLog('test', 'silent')
let gate: AppError | undefined

interface Member {
  bus: BusConnection
  calls: BusClient
  server: BusServer
  /** drains as a service does, and closes */
  stop(): Promise<void>
}

async function startMember(url: string): Promise<Member> {
  const bus = await connectBus({ url, name: 'test', log })
  const metrics = createMetrics('test')
  const server = new BusServer({ nc: bus.nc, queue: 'test', log, metrics, gate: () => gate })
  const app = await NestFactory.createMicroservice(ThingsModule, { strategy: server, logger: false })
  app.useGlobalFilters(new PassErrors())
  await app.listen()
  return {
    bus,
    calls: new BusClient(bus, metrics),
    server,
    async stop() {
      await server.close()
      await app.close()
      await bus.nc.drain()
    },
  }
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It did not fail')
}

/** Asks until it is answered; the deadline is the test's own. */
async function untilAnswered(work: () => Promise<unknown>, deadlineMs: number): Promise<number> {
  const start = Date.now()
  for (;;) {
    try {
      await work()
      return Date.now() - start
    } catch (error) {
      if (Date.now() - start > deadlineMs) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}

describe('the typed bus on a real NATS', () => {
  let nats: NatsServer
  let member: Member
  beforeAll(async () => {
    nats = await startNats()
    member = await startMember(nats.url)
  }, 120_000)
  afterAll(async () => {
    await member.stop()
    await nats.stop()
  })

  it('answers the plain JSON of the reply, nothing around it', async () => {
    const reply = await member.bus.nc.request(echo.subject, '{"text":"дверь"}')
    expect(reply.string()).toBe('{"text":"дверь"}')
    expect(reply.headers?.get('x-error') ?? '').toBe('')
  })

  it('answers UNAVAILABLE at once when nobody listens', async () => {
    const start = performance.now()
    const error = await failureOf(member.calls.request(nobody, {}))
    expect(error.code).toBe('UNAVAILABLE')
    expect(performance.now() - start).toBeLessThan(500)
  })

  it('answers TIMEOUT at the deadline when the service is slow', async () => {
    const start = performance.now()
    const error = await failureOf(member.calls.request(slow, { ms: 1_500 }, { timeoutMs: 300 }))
    expect(error.code).toBe('TIMEOUT')
    expect(performance.now() - start).toBeGreaterThanOrEqual(290)
    expect(performance.now() - start).toBeLessThan(1_300)
  })

  it('keeps the deadline of each of many requests, and gives each its own reply', async () => {
    const start = performance.now()
    const ended: number[] = []
    const late = [900, 150, 500].map(async (timeoutMs) => {
      expect((await failureOf(member.calls.request(slow, { ms: 1_500 }, { timeoutMs }))).code).toBe('TIMEOUT')
      ended.push(timeoutMs)
      expect(performance.now() - start).toBeGreaterThanOrEqual(timeoutMs)
    })
    const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`)
    expect(
      (await Promise.all(texts.map((text) => member.calls.request(echo, { text })))).map(({ text }) => text),
    ).toEqual(texts)
    await Promise.all(late)
    expect(ended).toEqual([150, 500, 900])
  })

  it('passes on what is left of the time, the request id and the settings', async () => {
    const seen = await runInScope({ requestId: 'req-7' }, () =>
      member.calls.request(
        inspect,
        {},
        {
          timeoutMs: 3_000,
          settings: { ...defaultCallSettings, media_wait_ms: 77, media_allowed_hosts: ['склад.local'] },
        },
      ),
    )
    expect(seen.timeLeft).toBeGreaterThan(2_000)
    expect(seen.timeLeft).toBeLessThanOrEqual(3_000)
    expect(seen).toMatchObject({ requestId: 'req-7', policy: 'reject_batch', wait: 77 })
  })

  it.each([
    ['a broken brace', Buffer.from('{a')],
    ['NaN', Buffer.from('NaN')],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('answers MALFORMED for %s', async (_, body) => {
    expect((await failureOf(member.calls.forward(echo, body))).code).toBe('MALFORMED')
  })

  it('reads JSON behind a byte order mark', async () => {
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"text":"x"}')])
    expect(Buffer.from(await member.calls.forward(echo, body)).toString()).toBe('{"text":"x"}')
  })

  it('answers CONTRACT_VIOLATION with the path of what is wrong', async () => {
    const error = await failureOf(member.calls.forward(echo, Buffer.from('{"text":5}')))
    expect(error).toMatchObject({
      code: 'CONTRACT_VIOLATION',
      message: 'The given data was invalid.',
      details: { errors: { text: ['The text must be a string.'] } },
    })
  })

  it('carries code, message and details of an error over the wire', async () => {
    const error = await failureOf(member.calls.request(fail, { code: 'CONFLICT' }))
    expect(error).toMatchObject({ code: 'CONFLICT', message: 'Storage 3 is in use.', details: { id: 3 } })
  })

  it('hides everything of an error that is our own fault', async () => {
    const reply = await member.bus.nc.request(fail.subject, '{"code":"X"}')
    expect(reply.headers?.get('x-error')).toBe('INTERNAL')
    expect(reply.string()).toBe('{"code":"INTERNAL","message":"Internal server error."}')
  })

  it('moves bodies of 7 MB both ways', async () => {
    const text = 'ы'.repeat(3_500_000)
    expect((await member.calls.request(echo, { text }, { timeoutMs: 20_000 })).text).toBe(text)
  })

  it('answers TOO_LARGE, not silence, when a reply exceeds the limit', async () => {
    const error = await failureOf(member.calls.request(fill, { bytes: MAX_PAYLOAD_BYTES + 1 }, { timeoutMs: 20_000 }))
    expect(error.code).toBe('TOO_LARGE')
  })

  it('answers TOO_LARGE when a request exceeds the limit', async () => {
    expect((await failureOf(member.calls.forward(echo, Buffer.alloc(MAX_PAYLOAD_BYTES + 1)))).code).toBe('TOO_LARGE')
  })

  it('lets no key of a foreign body steer the routing', async () => {
    const body = '{"pattern":"test.things.fail","data":{"code":"X"},"id":"1","text":"kept"}'
    expect((await member.bus.nc.request(echo.subject, body)).string()).toBe('{"text":"kept"}')
  })

  it('reads a batch under the policy of the call', async () => {
    const settings = { ...defaultCallSettings, erp_error_policy: 'reject_failed_rows' as const }
    const reply = await member.calls.forward(many, Buffer.from('[{"id":"a"},{"id":5}]'), { settings })
    expect(JSON.parse(Buffer.from(reply).toString())).toEqual({
      processed: 2,
      rejected: [{ id: '', message: 'The id must be a string.' }],
    })
  })

  it("answers with the gate's error while something the service needs is away", async () => {
    gate = new AppError('UNAVAILABLE', 'Service temporarily unavailable.')
    try {
      expect((await failureOf(member.calls.request(echo, { text: 'x' }))).code).toBe('UNAVAILABLE')
    } finally {
      gate = undefined
    }
  })

  it('passes a trace context on although no tracing is loaded', async () => {
    const subscription = member.bus.nc.subscribe(nobody.subject, { max: 1 })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    void runInScope({ requestId: 'r', traceparent }, () => member.calls.request(nobody, {}, { timeoutMs: 500 })).catch(
      () => undefined,
    )
    for await (const message of subscription) expect(message.headers?.get('traceparent')).toBe(traceparent)
  })

  it('gives a request without an id one of its own', async () => {
    const seen = (await member.bus.nc.request(inspect.subject, '{}', { timeout: 2_000, headers: headers() })).json<{
      requestId: string
    }>()
    expect(seen.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('draining', () => {
  it('loses no request that was in flight or arrives while one of two members stops, six times', async () => {
    const nats = await startNats()
    let members = [await startMember(nats.url), await startMember(nats.url)]
    const caller = await connectBus({ url: nats.url, name: 'caller', log })
    const calls = new BusClient(caller, createMetrics('caller'))
    let sent = 0
    const failures: unknown[] = []
    let going = true
    const waves = Array.from({ length: 20 }, async () => {
      while (going) {
        sent += 1
        await calls.request(slow, { ms: 20 }).catch((error: unknown) => failures.push(error))
      }
    })
    for (let round = 0; round < 6; round += 1) {
      const before = sent
      await untilAnswered(async () => {
        if (sent < before + 100) throw new Error('no traffic')
      }, 10_000)
      const [old, other] = members as [Member, Member]
      const fresh = await startMember(nats.url)
      await old.stop()
      members = [other, fresh]
    }
    going = false
    await Promise.all(waves)
    expect(failures).toEqual([])
    expect(sent).toBeGreaterThan(600)
    for (const one of members) await one.stop()
    await caller.nc.close()
    await nats.stop()
  }, 60_000)
})

describe('a subject that may not be published to', () => {
  it('is UNAVAILABLE at once, not at the deadline', async () => {
    const nats = await startNats({
      config:
        'authorization { users: [{ user: caller, password: secret, permissions: { publish: "allowed.>", subscribe: "_INBOX_caller.>" } }] }',
    })
    const caller = await connectBus({ url: nats.url, user: 'caller', password: 'secret', name: 'caller', log })
    const calls = new BusClient(caller, createMetrics('caller'))
    const start = performance.now()
    expect((await failureOf(calls.request(nobody, {}, { timeoutMs: 10_000 }))).code).toBe('UNAVAILABLE')
    expect(performance.now() - start).toBeLessThan(5_000)
    await caller.nc.close()
    await nats.stop()
  })
})

describe('a bus that goes away', () => {
  it('fails what is in flight and what comes at once, and answers within 5 s of the return after 30 s', async () => {
    const nats = await startNats()
    const member = await startMember(nats.url)
    const caller = await connectBus({ url: nats.url, name: 'caller', log })
    const calls = new BusClient(caller, createMetrics('caller'))
    const inFlight = failureOf(calls.request(slow, { ms: 20_000 }, { timeoutMs: 25_000 }))
    await calls.request(echo, { text: 'x' })
    await nats.kill()
    const killed = Date.now()
    expect((await inFlight).code).toBe('UNAVAILABLE')
    const error = await failureOf(calls.request(echo, { text: 'x' }))
    expect(error.code).toBe('UNAVAILABLE')
    expect(Date.now() - killed).toBeLessThan(3_000)
    await new Promise((done) => setTimeout(done, Math.max(0, 30_000 - (Date.now() - killed))))
    await nats.restart()
    expect(await untilAnswered(() => calls.request(echo, { text: 'back' }), 5_000)).toBeLessThan(5_000)
    await member.stop().catch(() => undefined)
    await caller.nc.close()
    await nats.stop()
  }, 90_000)

  it('keeps nobody from stopping', async () => {
    const nats = await startNats()
    const member = await startMember(nats.url)
    await nats.kill()
    await untilAnswered(async () => {
      if (member.bus.isUp()) throw new Error('not noticed')
    }, 5_000)
    const asked = Date.now()
    await member.server.close()
    await member.bus.close()
    expect(Date.now() - asked).toBeLessThan(10_000)
    await nats.stop()
  }, 30_000)
})
