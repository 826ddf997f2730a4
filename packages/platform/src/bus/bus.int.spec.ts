import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { productDeactivated } from '@partsbus/contracts/events'
import { batchCommand, command, MAX_PAYLOAD_BYTES } from '@partsbus/contracts/message'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { cpuMs, fastestMs } from '@partsbus/test-kit/durations'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { headers } from '@nats-io/transport-node'
import { z } from 'zod'
import { BusClient } from './client.js'
import { type BusConnection, connectBus, openBus } from './connection.js'
import { BusServer } from './server.js'
import type { CallOf } from './call.js'
import { currentScope, runInScope } from './call-scope.js'
import { createLog } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'
import { Handles, PassErrors } from './nest-adapter.js'

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
const fillErrors = command('test.things.fill-errors', {
  request: z.object({ rows: z.number(), bytes: z.number() }),
  reply: z.object({ processed: z.number(), errors: z.array(z.object({ id: z.string(), message: z.string() })) }),
})
const fillViolations = command('test.things.fill-violations', {
  request: z.object({ count: z.number(), bytes: z.number() }),
  reply: z.object({}),
})
const limited = command('test.things.limited', {
  request: z.object({ ids: z.array(z.string()) }),
  reply: z.object({ count: z.number() }),
  batchField: 'ids',
  priority: 'high',
})
const nobody = command('test.things.nobody', { request: z.object({}), reply: z.object({}) })

@Controller()
class ThingsController {
  @Handles(echo) async echo({ body }: CallOf<typeof echo>) {
    return { text: body.text }
  }
  @Handles(inspect) async inspect(call: CallOf<typeof inspect>) {
    return {
      timeLeft: call.timeLeft(),
      requestId: currentScope()?.requestId ?? '',
      policy: call.settings.erp_error_policy,
      wait: call.settings.media_wait_ms,
    }
  }
  @Handles(fail) async fail({ body }: CallOf<typeof fail>): Promise<Record<string, never>> {
    if (body.code === 'CONFLICT') throw new AppError('CONFLICT', 'Storage 3 is in use.', { details: { id: 3 } })
    throw new Error('password=hunter2 at /srv/secret.js')
  }
  @Handles(slow) async slow({ body }: CallOf<typeof slow>) {
    await new Promise((done) => setTimeout(done, body.ms))
    return { ok: true }
  }
  @Handles(fill) async fill({ body }: CallOf<typeof fill>) {
    return { text: 'x'.repeat(body.bytes) }
  }
  @Handles(many) async many({ body }: CallOf<typeof many>) {
    return { processed: body.processed, rejected: body.rejected }
  }
  @Handles(fillErrors) async fillErrors({ body }: CallOf<typeof fillErrors>) {
    const errors = Array.from({ length: body.rows }, (_, at) => ({ id: `x${at}`, message: 'ы'.repeat(body.bytes / 2) }))
    return { processed: body.rows + 1, errors }
  }
  @Handles(fillViolations) async fillViolations({
    body,
  }: CallOf<typeof fillViolations>): Promise<Record<string, never>> {
    const errors = Array.from({ length: body.count }, (_, at) => [`${at}.name`, ['x'.repeat(body.bytes)]])
    throw new AppError('CONTRACT_VIOLATION', 'The given data was invalid.', {
      details: { errors: Object.fromEntries(errors) as Record<string, string[]> },
    })
  }
  @Handles(limited) async limited({ body }: CallOf<typeof limited>) {
    return { count: body.ids.length }
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
  /** drains like a service, and closes */
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
  throw new Error('The call succeeded')
}

/** Repeats a request until it succeeds or the deadline has passed. */
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

describe('BusClient and BusServer', () => {
  let nats: NatsServer
  let member: Member
  beforeAll(async () => {
    nats = await startNats()
    member = await startMember(nats.url)
  })
  afterAll(async () => {
    await member.stop()
    await nats.stop()
  })

  it('replies with plain JSON without an envelope', async () => {
    const reply = await member.bus.nc.request(echo.subject, '{"text":"дверь"}', { timeout: 20_000 })
    expect(reply.string()).toBe('{"text":"дверь"}')
    expect(reply.headers?.get('x-error') ?? '').toBe('')
  })

  it('answers UNAVAILABLE at once when nobody listens', async () => {
    const codes: string[] = []
    const ms = await fastestMs(5, async () => codes.push((await failureOf(member.calls.request(nobody, {}))).code))
    expect(codes).toEqual(Array(5).fill('UNAVAILABLE'))
    expect(ms).toBeLessThan(500)
  })

  it('answers TIMEOUT at the deadline when the service is slow', async () => {
    const start = performance.now()
    // without the deadline, the reply would arrive after 1.5 s
    const error = await failureOf(member.calls.request(slow, { ms: 1_500 }, { timeoutMs: 300 }))
    expect(error.code).toBe('TIMEOUT')
    expect(performance.now() - start).toBeGreaterThanOrEqual(290)
  })

  it('applies the deadline of each of many requests, and returns each its own reply', async () => {
    const outcomes = [20_000, 150, 500].map((timeoutMs) =>
      member.calls.request(slow, { ms: 1_500 }, { timeoutMs }).then(
        () => 'answered',
        ({ code }: AppError) => code,
      ),
    )
    const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`)
    expect(
      (await Promise.all(texts.map((text) => member.calls.request(echo, { text })))).map(({ text }) => text),
    ).toEqual(texts)
    expect(await Promise.all(outcomes)).toEqual(['answered', 'TIMEOUT', 'TIMEOUT'])
  })

  it('passes on the remaining time, the request id and the settings', async () => {
    const seen = await runInScope({ requestId: 'req-7' }, () =>
      member.calls.request(
        inspect,
        {},
        {
          timeoutMs: 30_000,
          settings: { ...defaultCallSettings, media_wait_ms: 77, media_allowed_hosts: ['склад.local'] },
        },
      ),
    )
    expect(seen.timeLeft).toBeGreaterThan(20_000)
    expect(seen.timeLeft).toBeLessThanOrEqual(30_000)
    expect(seen).toMatchObject({ requestId: 'req-7', policy: 'reject_batch', wait: 77 })
  })

  it.each([
    ['an unclosed brace', Buffer.from('{a')],
    ['NaN', Buffer.from('NaN')],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('answers MALFORMED for %s', async (_, body) => {
    expect((await failureOf(member.calls.forward(echo, body))).code).toBe('MALFORMED')
  })

  it('reads JSON after a byte order mark', async () => {
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"text":"x"}')])
    expect(Buffer.from(await member.calls.forward(echo, body)).toString()).toBe('{"text":"x"}')
  })

  it('answers CONTRACT_VIOLATION with the path of the invalid field', async () => {
    const error = await failureOf(member.calls.forward(echo, Buffer.from('{"text":5}')))
    expect(error).toMatchObject({
      code: 'CONTRACT_VIOLATION',
      message: 'The given data was invalid.',
      details: { errors: { text: ['The text must be a string.'] } },
    })
  })

  it('transmits code, message and details of an error', async () => {
    const error = await failureOf(member.calls.request(fail, { code: 'CONFLICT' }))
    expect(error).toMatchObject({ code: 'CONFLICT', message: 'Storage 3 is in use.', details: { id: 3 } })
  })

  it('hides the text of an internal error', async () => {
    const reply = await member.bus.nc.request(fail.subject, '{"code":"X"}', { timeout: 20_000 })
    expect(reply.headers?.get('x-error')).toBe('INTERNAL')
    expect(reply.string()).toBe('{"code":"INTERNAL","message":"Internal server error."}')
  })

  it('transmits bodies of 7 MB in both directions', async () => {
    const text = 'ы'.repeat(3_500_000)
    expect((await member.calls.request(echo, { text }, { timeoutMs: 20_000 })).text).toBe(text)
  })

  it('answers TOO_LARGE when a reply exceeds the limit', async () => {
    const error = await failureOf(member.calls.request(fill, { bytes: MAX_PAYLOAD_BYTES + 1 }, { timeoutMs: 20_000 }))
    expect(error.code).toBe('TOO_LARGE')
  })

  it('shortens the errors of a batch to what fits, and keeps the counts (erp.md#batch-fits)', async () => {
    const reply = await member.calls.request(fillErrors, { rows: 1_000, bytes: 17_000 }, { timeoutMs: 20_000 })
    expect(reply.processed).toBe(1_001)
    expect(reply.errors[0]).toEqual({ id: 'x0', message: 'ы'.repeat(8_500) })
    const last = reply.errors.at(-1)
    expect(last).toEqual({
      id: '',
      message: `${1_001 - reply.errors.length} more errors do not fit into this response.`,
    })
    expect(reply.errors.length).toBeGreaterThan(450)
  })

  it('replaces a single error that does not fit', async () => {
    const reply = await member.calls.request(fillErrors, { rows: 1, bytes: 9_000_000 }, { timeoutMs: 20_000 })
    expect(reply).toEqual({
      processed: 2,
      errors: [{ id: '', message: '1 more errors do not fit into this response.' }],
    })
  })

  it('shortens violations to what fits', async () => {
    const call = member.calls.request(fillViolations, { count: 1_000, bytes: 10_000 }, { timeoutMs: 20_000 })
    const error = await failureOf(call)
    expect(error).toMatchObject({ code: 'CONTRACT_VIOLATION', message: 'The given data was invalid.' })
    const { errors } = error.details as { errors: Record<string, string[]> }
    expect(Object.keys(errors).length).toBeGreaterThan(800)
    expect(Object.keys(errors).length).toBeLessThan(1_000)
  })

  it('rejects 4 million scalars at a low cost', async () => {
    const body = Buffer.from(`{"ids":[${'1,'.repeat(4_000_000)}1]}`)
    let error: AppError | undefined
    const spent = await cpuMs(async () => {
      error = await failureOf(member.calls.forward(limited, body, { timeoutMs: 20_000 }))
    })
    expect(spent).toBeLessThan(1_500)
    expect(error).toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: { errors: { ids: ['The ids must not have more than 1000 items (setting erp_max_batch_items).'] } },
    })
  })

  it('ignores unknown settings, values, headers and fields, which a newer caller may send', async () => {
    const unknown = headers()
    unknown.set('x-settings', '{"erp_error_policy":"reject_failed_rows","setting_of_tomorrow":true}')
    unknown.set('x-header-of-tomorrow', '1')
    const body = '{"field_of_tomorrow":1}'
    const reply = await member.bus.nc.request(inspect.subject, body, { timeout: 20_000, headers: unknown })
    expect(reply.json()).toMatchObject({ policy: 'reject_failed_rows', wait: 5_000 })
    unknown.set('x-settings', '{"erp_error_policy":"policy_of_tomorrow","admin_locale":"de","media_wait_ms":7}')
    const other = await member.bus.nc.request(inspect.subject, body, { timeout: 20_000, headers: unknown })
    expect(other.json()).toMatchObject({ policy: 'reject_batch', wait: 7 })
    const event = { batch: 'b', at: '2026-01-01T00:00:00.000Z', items: [], field_of_tomorrow: 1 }
    expect(productDeactivated.payload.safeParse(event).success).toBe(true)
  })

  it('answers TOO_LARGE when a request exceeds the limit', async () => {
    expect((await failureOf(member.calls.forward(echo, Buffer.alloc(MAX_PAYLOAD_BYTES + 1)))).code).toBe('TOO_LARGE')
  })

  it('ignores keys of the body that Nest uses for routing', async () => {
    const body = '{"pattern":"test.things.fail","data":{"code":"X"},"id":"1","text":"kept"}'
    expect((await member.bus.nc.request(echo.subject, body, { timeout: 20_000 })).string()).toBe('{"text":"kept"}')
  })

  it('applies the error policy of the call to a batch', async () => {
    const settings = { ...defaultCallSettings, erp_error_policy: 'reject_failed_rows' as const }
    const reply = await member.calls.forward(many, Buffer.from('[{"id":"a"},{"id":5}]'), { settings })
    expect(JSON.parse(Buffer.from(reply).toString())).toEqual({
      processed: 2,
      rejected: [{ id: '', message: 'The id must be a string.' }],
    })
  })

  it("answers with the gate's error while a dependency is down", async () => {
    gate = new AppError('UNAVAILABLE', 'Service temporarily unavailable.')
    try {
      expect((await failureOf(member.calls.request(echo, { text: 'x' }))).code).toBe('UNAVAILABLE')
    } finally {
      gate = undefined
    }
  })

  it('passes on the API of the request, and the trace context when tracing is off', async () => {
    const subscription = member.bus.nc.subscribe(nobody.subject, { max: 1 })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const scope = { requestId: 'r', api: 'erp', traceparent }
    void runInScope(scope, () => member.calls.request(nobody, {}, { timeoutMs: 500 })).catch(() => undefined)
    for await (const { headers: sent } of subscription)
      expect([sent?.get('x-api'), sent?.get('traceparent')]).toEqual(['erp', traceparent])
  })

  it('generates an id for a request without one', async () => {
    const seen = (await member.bus.nc.request(inspect.subject, '{}', { timeout: 20_000, headers: headers() })).json<{
      requestId: string
    }>()
    expect(seen.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('draining', () => {
  it('loses no request while one of two members stops, six times', async () => {
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
  })
})

describe('a subject without publish permission', () => {
  it('is UNAVAILABLE at once, not at the deadline', async () => {
    const nats = await startNats({
      config:
        'authorization { users: [{ user: caller, password: secret, ' +
        'permissions: { publish: "allowed.>", subscribe: "_INBOX_caller.>" } }] }',
    })
    const caller = await connectBus({ url: nats.url, user: 'caller', password: 'secret', name: 'caller', log })
    const calls = new BusClient(caller, createMetrics('caller'))
    const start = performance.now()
    expect((await failureOf(calls.request(nobody, {}, { timeoutMs: 25_000 }))).code).toBe('UNAVAILABLE')
    expect(performance.now() - start).toBeLessThan(10_000)
    await caller.nc.close()
    await nats.stop()
  })
})

describe('a wrong password', () => {
  it('is refused with the name of the user and of the variables', async () => {
    const nats = await startNats({ config: 'authorization { users: [{ user: stock, password: secret }] }' })
    const options = { url: nats.url, user: 'stock', password: 'old', name: 'stock', log }
    await expect(connectBus(options)).rejects.toThrow(/refuses the user "stock" .*NATS_USER and NATS_PASSWORD/)
    await nats.stop()
  })
})

describe('an outage of the bus', () => {
  it('fails pending and new requests at once, and answers within 5 s after an outage of 30 s', async () => {
    const nats = await startNats()
    const member = await startMember(nats.url)
    const caller = await connectBus({ url: nats.url, name: 'caller', log })
    const calls = new BusClient(caller, createMetrics('caller'))
    const inFlight = failureOf(calls.request(slow, { ms: 20_000 }, { timeoutMs: 25_000 }))
    await calls.request(echo, { text: 'x' })
    await nats.kill()
    let killed = Date.now()
    expect((await inFlight).code).toBe('UNAVAILABLE')
    const error = await failureOf(calls.request(echo, { text: 'x' }))
    expect(error.code).toBe('UNAVAILABLE')
    // far below the deadline of the request in flight
    expect(Date.now() - killed).toBeLessThan(10_000)
    const endOutage = async () => {
      await new Promise((done) => setTimeout(done, Math.max(0, 30_000 - (Date.now() - killed))))
      await nats.restart()
      return untilAnswered(() => calls.request(echo, { text: 'back' }), 20_000)
    }
    let ms = await endOutage()
    if (ms >= 5_000) {
      // other work on the machine may delay one recovery
      await nats.kill()
      killed = Date.now()
      ms = await endOutage()
    }
    expect(ms).toBeLessThan(5_000)
    await member.stop().catch(() => undefined)
    await caller.nc.close()
    await nats.stop()
  })

  it('does not prevent a process from stopping', async () => {
    const nats = await startNats()
    const member = await startMember(nats.url)
    await nats.kill()
    await untilAnswered(async () => {
      if (member.bus.isUp()) throw new Error('not noticed')
    }, 15_000)
    const asked = Date.now()
    await member.server.close()
    await member.bus.close()
    expect(Date.now() - asked).toBeLessThan(10_000)
    await nats.stop()
  })

  it('is not reached once a process has stopped: who waits for the connection would use a closed one', async () => {
    const nats = await startNats()
    const bus = openBus({ url: nats.url, name: 'test', log })
    let isReached = false
    void bus.reached.then(() => {
      isReached = true
    })
    await bus.close()
    await untilAnswered(async () => {
      if (!bus.isClosed()) throw new Error('not closed')
    }, 15_000)
    await setImmediate()
    await nats.stop()
    expect(isReached).toBe(false)
  })
})
