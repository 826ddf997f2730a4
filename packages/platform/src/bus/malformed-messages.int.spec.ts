import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { AppError } from '@partsbus/contracts/app-error'
import { command, inFlightCallsSubject } from '@partsbus/contracts/message'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { z } from 'zod'
import { createLog } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'
import type { CallOf } from './call.js'
import { BusClient } from './client.js'
import { type BusConnection, connectBus } from './connection.js'
import { InvalidatedCache } from './invalidated-cache.js'
import { Handles, PassErrors } from './nest-adapter.js'
import { BusServer } from './server.js'

const echo = command('test.things.echo', {
  request: z.object({ text: z.string() }),
  reply: z.object({ text: z.string() }),
})
const unanswered = command('test.things.unanswered', { request: z.object({}), reply: z.object({}) })
const INVALIDATION = 'test.things.changed'

@Controller()
class EchoController {
  @Handles(echo) async echo({ body }: CallOf<typeof echo>) {
    return { text: body.text }
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

const log = createLog('test', 'silent')
let nats: NatsServer
let service: BusConnection
let server: BusServer
let caller: BusConnection
let calls: BusClient
let cache: InvalidatedCache<string>

beforeAll(async () => {
  nats = await startNats()
  service = await connectBus({ url: nats.url, name: 'test', log })
  server = new BusServer({
    nc: service.nc,
    queue: 'test',
    log,
    metrics: createMetrics('test'),
    gate: () => undefined,
  })
  const app = await NestFactory.createMicroservice(EchoModule, { strategy: server, logger: false })
  app.useGlobalFilters(new PassErrors())
  await app.listen()
  caller = await connectBus({ url: nats.url, name: 'caller', log })
  calls = new BusClient(caller, createMetrics('caller'))
  cache = new InvalidatedCache(caller, INVALIDATION)
})
afterAll(async () => {
  await server.close()
  await Promise.all([service.nc.close(), caller.nc.close()])
  await nats.stop()
})

/** Publishes bytes that no client library would send. */
function publishRaw(subject: string, headers: string, body: string, reply = ''): Promise<void> {
  const { hostname, port } = new URL(nats.url)
  const head = `${headers}\r\n\r\n`
  return new Promise((done, fail) => {
    const socket = connectSocket({ host: hostname, port: Number(port) }, () => {
      socket.write('CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true}\r\n')
      const target = reply === '' ? subject : `${subject} ${reply}`
      socket.write(`HPUB ${target} ${head.length} ${head.length + body.length}\r\n${head}${body}\r\nPING\r\n`)
    })
    socket.on('error', fail)
    socket.on('data', (data) => {
      if (!data.includes('PONG')) return
      socket.end()
      done()
    })
  })
}

/** A name that the client refuses to decode. */
const BROKEN = 'NATS/1.0\r\n(broken\u0001): x'

it.each([
  ['a request', echo.subject],
  ['a question for calls in flight', inFlightCallsSubject('test')],
  ['an invalidation', INVALIDATION],
])('survives malformed messages on the subject of %s', async (_what, subject) => {
  for (const body of ['x', '{}', '{"calls":null}', '[[', '']) {
    await publishRaw(subject, 'NATS/1.0', body, 'test.replies')
    await publishRaw(subject, BROKEN, body, 'test.replies')
    await publishRaw(subject, BROKEN, body)
  }
  expect(await calls.request(echo, { text: 'still here' }, { timeoutMs: 20_000 })).toEqual({ text: 'still here' })
  expect(await cache.read('a', () => Promise.resolve('b'))).toBe('b')
  expect([service.nc.isClosed(), caller.nc.isClosed()]).toEqual([false, false])
})

it('answers MALFORMED to broken headers', async () => {
  const replies = caller.nc.subscribe('test.replies.malformed', { max: 1 })
  await caller.nc.flush()
  await publishRaw(echo.subject, BROKEN, '{"text":"x"}', 'test.replies.malformed')
  for await (const message of replies) expect(message.headers?.get('x-error')).toBe('MALFORMED')
})

it('fails a call whose reply has broken headers, and no other one', async () => {
  const inbox = new Promise<string>((seen) => {
    service.nc.subscribe(unanswered.subject, { callback: (_error, message) => seen(message.reply ?? '') })
  })
  await service.nc.flush()
  const outcome = calls.request(unanswered, {}, { timeoutMs: 20_000 }).catch(({ code }: AppError) => code)
  await publishRaw(await inbox, BROKEN, '')
  expect(await outcome).toBe('UNAVAILABLE')
  expect(await calls.request(echo, { text: 'next' }, { timeoutMs: 20_000 })).toEqual({ text: 'next' })
})
