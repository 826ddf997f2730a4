import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { diagnose } from '@partsbus/contracts/diagnosis'
import { command } from '@partsbus/contracts/message'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { proxiedMongodbUrl, testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import {
  Controller,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common'
import { Db, MongoClient } from 'mongodb'
import { z } from 'zod'
import { BusClient } from '../bus/client.js'
import { type BusConnection, connectBus } from '../bus/connection.js'
import { Handles } from '../bus/nest-adapter.js'
import { ensureIndexes } from '../mongo/indexes.js'
import { platformConfig } from './config.js'
import { createLog } from './log.js'
import { createMetrics } from './metrics.js'
import { startService } from './service.js'

const database = `test_service_${process.pid}`
const wait = command('life.things.wait', { request: z.object({}), reply: z.object({ answered: z.boolean() }) })

let steps: string[] = []
let finish = (): void => undefined

@Controller()
class ThingsController implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly db: Db,
    private readonly calls: BusClient,
  ) {}

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.db.collection('things'), [{ name: 'name', key: { name: 1 } }])
    steps.push('indexes')
  }

  async onApplicationBootstrap(): Promise<void> {
    const reply = this.calls.request(wait, {})
    await waitUntil(() => steps.includes('request'), { withinMs: 20_000 })
    finish()
    await reply
    steps.push('started')
  }

  @Handles(wait)
  async wait() {
    const finished = new Promise<void>((done) => (finish = done))
    steps.push('request')
    await finished
    steps.push('reply')
    return { answered: true }
  }

  async onModuleDestroy(): Promise<void> {
    await this.db.command({ ping: 1 })
    steps.push('stopped')
  }
}
@Module({ controllers: [ThingsController] })
class ThingsModule {}

/** Takes a while, so that hooks that run at the same time are seen to. */
async function step(db: Db, name: string): Promise<void> {
  await db.command({ ping: 1 })
  steps.push(name)
}

@Injectable()
class Store implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  constructor(private readonly db: Db) {}

  onModuleInit = () => step(this.db, 'store has indexes')
  onModuleDestroy = () => void steps.push('store stops')
  onApplicationShutdown = () => step(this.db, 'store is written')
}

@Injectable()
class Worker implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    _store: Store,
    private readonly db: Db,
  ) {}

  onModuleInit = () => void steps.push('worker is ready')
  onApplicationBootstrap = () => step(this.db, 'worker works')
  onModuleDestroy = () => step(this.db, 'worker stops')
}

/** Neither injects the worker nor is injected by it. */
@Injectable()
class Figures implements OnApplicationShutdown {
  onApplicationShutdown = () => void steps.push('figures are written')
}

@Injectable()
class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(_worker: Worker) {}

  onApplicationBootstrap = () => void steps.push('jobs start')
  onModuleDestroy = () => void steps.push('jobs stop')
}

@Module({ providers: [Figures, Jobs, Worker, Store] })
class WorkingModule {}

@Module({})
class FailingModule implements OnModuleInit {
  onModuleInit(): void {
    throw new Error('no indexes today')
  }
}

let nats: NatsServer
let bus: BusConnection
beforeAll(async () => {
  nats = await startNats()
  bus = await connectBus({ url: nats.url, name: 'test', log: createLog('test', 'silent') })
})
afterAll(async () => {
  await bus.close()
  await nats.stop()
  const client = new MongoClient(testMongodbUrl())
  await client.db(database).dropDatabase()
  await client.close()
})
beforeEach(() => {
  steps = []
})

const config = (changes: { MONGODB_URL?: string; MANAGEMENT_PORT?: number } = {}) => ({
  MONGODB_URL: testMongodbUrl(),
  MONGODB_DATABASE: database,
  MONGODB_POOL_SIZE: 2,
  NATS_URL: nats.url,
  MANAGEMENT_PORT: 0,
  MANAGEMENT_HOST: '127.0.0.1',
  LOG_LEVEL: 'silent' as const,
  ...changes,
})
const readiness = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.status,
    () => 0,
  )

/** Forwards a port to the test database. */
async function startProxy(port: number): Promise<{ server: Server; close(): void }> {
  const target = new URL(testMongodbUrl().replace(/^mongodb/, 'http'))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => undefined)
    }
    socket.pipe(upstream).pipe(socket)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('startService', () => {
  it('ensures indexes, then answers requests, then starts background work', async () => {
    const service = await startService('life', config(), ThingsModule)
    expect(steps).toEqual(['indexes', 'request', 'reply', 'started'])
    expect(await readiness(service.managementPort)).toBe(200)
    await service.stop()
  })

  it('turns unready, finishes its handlers, ends background work and closes connections, in this order', async () => {
    const service = await startService('life', config(), ThingsModule)
    steps = []
    const reply = new BusClient(bus, createMetrics('test')).request(wait, {})
    expect(await waitUntil(() => steps.includes('request'), { withinMs: 20_000 })).toBe(true)
    const stopped = service.stop()
    expect(await waitUntil(async () => (await readiness(service.managementPort)) === 503, { withinMs: 20_000 })).toBe(
      true,
    )
    expect(steps).toEqual(['request'])
    finish()
    expect(await reply).toEqual({ answered: true })
    await stopped
    expect(steps).toEqual(['request', 'reply', 'stopped'])
    expect(await readiness(service.managementPort)).toBe(0)
  })

  it('makes the checks that it is asked for, and ends one that is in progress when it stops', async () => {
    let isAsked = false
    const checks = {
      Things: async () => [{ code: 'file-missing', severity: 'error', message: 'm', advice: 'a' } as const],
      Endless: () => {
        isAsked = true
        return new Promise<never>(() => undefined)
      },
    }
    const service = await startService('life', config(), WorkingModule, [], {
      config: platformConfig,
      indexes: {},
      counters: [],
      checks: () => checks,
    })
    const calls = new BusClient(bus, createMetrics('test'))
    const listed = await calls.request(diagnose('life'), {})
    expect(listed).toMatchObject({ service: 'life', schema_version: 1, findings: [] })
    expect(listed.checks).toEqual(expect.arrayContaining(['Indexes of life', 'Things', 'Endless']))
    expect((await calls.request(diagnose('life'), { check: 'Things' })).findings).toMatchObject([
      { code: 'file-missing' },
    ])
    await expect(calls.request(diagnose('life'), { check: 'None' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const endless = expect(calls.request(diagnose('life'), { check: 'Endless' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(await waitUntil(() => isAsked, { withinMs: 20_000 })).toBe(true)
    await service.stop()
    await endless
  })

  it('starts what a class injects before it, stops it after it, and writes when no work is left', async () => {
    const service = await startService('life', config(), WorkingModule)
    const started = steps.splice(0)
    await service.stop()
    expect(started).toEqual(['store has indexes', 'worker is ready', 'worker works', 'jobs start'])
    expect(steps).toEqual(['jobs stop', 'worker stops', 'store stops', 'figures are written', 'store is written'])
  })

  it('waits for a database that cannot be reached yet, and is not ready until then', async () => {
    const [port, managementPort] = [await findFreePort(), await findFreePort()]
    const starting = startService(
      'life',
      config({ MONGODB_URL: proxiedMongodbUrl(port), MANAGEMENT_PORT: managementPort }),
      ThingsModule,
    )
    expect(await waitUntil(async () => (await readiness(managementPort)) === 503, { withinMs: 20_000 })).toBe(true)
    expect(steps).toEqual([])
    const proxy = await startProxy(port)
    const service = await starting
    expect(await readiness(managementPort)).toBe(200)
    await service.stop()
    proxy.close()
  })

  it('throws the error of a provider and closes what it opened', async () => {
    const managementPort = await findFreePort()
    await expect(startService('life', config({ MANAGEMENT_PORT: managementPort }), FailingModule)).rejects.toThrow(
      'no indexes today',
    )
    expect(await readiness(managementPort)).toBe(0)
    // a backup and a restore would wait for it
    const client = new MongoClient(testMongodbUrl())
    expect(await client.db(database).collection('processes').find().toArray()).toEqual([])
    await client.close()
  })

  it('migrates its database before it is ready, and says so', async () => {
    const managementPort = await findFreePort()
    let release = (): void => undefined
    const released = new Promise<void>((done) => (release = done))
    const migration = { version: 2, name: 'waits', oldestCode: 1, run: () => released }
    const starting = startService('life', config({ MANAGEMENT_PORT: managementPort }), ThingsModule, [migration])
    const readyz = () =>
      fetch(`http://127.0.0.1:${managementPort}/readyz`).then(
        (response) => response.text(),
        () => '',
      )
    expect(await waitUntil(async () => (await readyz()).includes('migrating the database'), { withinMs: 20_000 })).toBe(
      true,
    )
    expect(steps).toEqual([])
    release()
    const service = await starting
    expect(await readiness(managementPort)).toBe(200)
    await service.stop()
  })

  it('refuses a database that only newer code may use, and closes what it opened', async () => {
    const managementPort = await findFreePort()
    const client = new MongoClient(testMongodbUrl())
    const versions = client.db(database).collection<{ _id: string; oldest_code: number }>('schema_version')
    await versions.updateOne({ _id: 'schema' }, { $set: { oldest_code: 2 } })
    await expect(startService('life', config({ MANAGEMENT_PORT: managementPort }), ThingsModule)).rejects.toThrow(
      'the database has schema version 2, which needs code of schema version 2 or newer; this code has 1.',
    )
    expect(steps).toEqual([])
    expect(await readiness(managementPort)).toBe(0)
    await client.close()
  })
})
