import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { command } from '@partsbus/contracts/message'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { z } from 'zod'
import { BusClient } from './client.js'
import { type BusConnection, connectBus } from './connection.js'
import { BusServer } from './server.js'
import { createLog } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'
import { Handles, PassErrors } from './nest-adapter.js'

const begin = command('test.counts.begin', { request: z.object({}), reply: z.object({ process: z.string() }) })
const count = command('test.counts.next', {
  request: z.object({}),
  reply: z.object({ process: z.string(), count: z.number() }),
  ofProcess: true,
})

@Controller()
class Counts {
  private count = 0
  constructor(private readonly server: BusServer) {}

  @Handles(begin) async begin() {
    return { process: this.server.process }
  }
  @Handles(count) async next() {
    this.count += 1
    return { process: this.server.process, count: this.count }
  }
}

interface Member {
  bus: BusConnection
  server: BusServer
  stop(): Promise<void>
}

async function startMember(url: string): Promise<Member> {
  const log = createLog('test', 'silent')
  const bus = await connectBus({ url, name: 'test', log })
  const server = new BusServer({
    nc: bus.nc,
    queue: 'test',
    log,
    metrics: createMetrics('test'),
    gate: () => undefined,
  })
  @Module({ controllers: [Counts], providers: [{ provide: BusServer, useValue: server }] })
  class CountsModule {}
  const app = await NestFactory.createMicroservice(CountsModule, { strategy: server, logger: false })
  app.useGlobalFilters(new PassErrors())
  await app.listen()
  return {
    bus,
    server,
    async stop() {
      await server.close()
      await app.close()
      await bus.nc.drain()
    },
  }
}

describe('a command of one process', () => {
  let nats: NatsServer
  let members: Member[]
  let calls: BusClient
  beforeAll(async () => {
    nats = await startNats()
    members = [await startMember(nats.url), await startMember(nats.url)]
    calls = new BusClient((members[0] as Member).bus, createMetrics('test'))
  })
  afterAll(async () => {
    for (const member of members) await member.stop()
    await nats.stop()
  })

  it('is answered by the one that the caller names, every time', async () => {
    for (const { server } of members) {
      for (let at = 1; at <= 5; at += 1)
        expect(await calls.request(count, {}, { process: server.process })).toEqual({
          process: server.process,
          count: at,
        })
    }
    const { process } = await calls.request(begin, {})
    expect(members.map(({ server }) => server.process)).toContain(process)
  })

  it('fails at once when that process does not run, and without a name', async () => {
    await expect(calls.request(count, {}, { process: 'gone' })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(calls.request(count, {})).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const last = members.pop() as Member
    await last.stop()
    await expect(calls.request(count, {}, { process: last.server.process })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
  })
})
