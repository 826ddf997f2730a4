import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { batchCommand, command } from '@partsbus/contracts/message'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { z } from 'zod'
import type { QueueDelays } from '../process/queue-delay.js'
import { createLog } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'
import type { CallOf } from './call.js'
import { BusClient } from './client.js'
import { type BusConnection, connectBus } from './connection.js'
import { Handles, PassErrors } from './nest-adapter.js'
import { BusServer } from './server.js'

const wait = command('test.load.wait', { request: z.object({}), reply: z.object({ ok: z.boolean() }) })
const store = batchCommand('test.load.store', {
  key: 'things',
  idField: 'id',
  item: z.object({ id: z.string() }),
  reply: z.object({ processed: z.number() }),
  priority: 'high',
})

const BATCH_SLOTS = 2
let storing: Promise<void> | undefined
const stored: string[] = []

let release: () => void = () => undefined
let released: Promise<void>

@Controller()
class LoadController {
  @Handles(wait) async wait(_call: CallOf<typeof wait>) {
    await released
    return { ok: true }
  }
  @Handles(store) async store({ body }: CallOf<typeof store>) {
    stored.push(body.items[0]?.id ?? '')
    await storing
    return { processed: body.processed }
  }
}

@Module({ controllers: [LoadController] })
class LoadModule {}

describe('an overloaded service (rules.md#overload)', () => {
  let nats: NatsServer
  let bus: BusConnection
  let calls: BusClient
  let server: BusServer
  let delays: QueueDelays = { eventLoop: 0, connection: 0 }

  beforeAll(async () => {
    nats = await startNats()
    const log = createLog('test', 'silent')
    const metrics = createMetrics('test')
    bus = await connectBus({ url: nats.url, name: 'test', log })
    server = new BusServer({
      nc: bus.nc,
      queue: 'test',
      log,
      metrics,
      gate: () => undefined,
      readDelays: () => delays,
      urgentSlots: BATCH_SLOTS,
    })
    const app = await NestFactory.createMicroservice(LoadModule, { strategy: server, logger: false })
    app.useGlobalFilters(new PassErrors())
    await app.listen()
    calls = new BusClient(bus, createMetrics('caller'))
  })
  afterAll(async () => {
    release()
    await server?.close()
    await bus?.nc.close()
    await nats?.stop()
  })

  /** Makes calls that end with `release`. @returns their outcomes so far */
  function makeCalls(count: number): { refused: number; done: Promise<unknown> } {
    const outcomes = { refused: 0, done: Promise.resolve() as Promise<unknown> }
    outcomes.done = Promise.all(
      Array.from({ length: count }, () =>
        calls.request(wait, {}, { timeoutMs: 30_000 }).catch((error: unknown) => {
          if (!(error instanceof AppError && error.code === 'OVERLOADED')) throw error
          outcomes.refused += 1
        }),
      ),
    )
    return outcomes
  }
  const hold = (): void => {
    released = new Promise((resolve) => {
      release = resolve
    })
  }

  it('refuses calls at once beyond its limit, and still works on calls of high priority', async () => {
    hold()
    const outcomes = makeCalls(800)
    expect(await waitUntil(() => outcomes.refused === 50, { withinMs: 20_000 })).toBe(true)
    const stored = await calls.forward(store, Buffer.from('[{"id":"a"}]'))
    expect(JSON.parse(Buffer.from(stored).toString('utf8'))).toEqual({ processed: 1 })
    release()
    await outcomes.done
    expect(outcomes.refused).toBe(50)
  })

  it('works on a few batches at a time, in their order, and answers other calls meanwhile', async () => {
    hold()
    storing = released
    stored.length = 0
    const ids = ['a', 'b', 'c', 'd', 'e']
    const batches = ids.map((id) => calls.forward(store, Buffer.from(JSON.stringify([{ id }]))))
    expect(await waitUntil(() => stored.length === BATCH_SLOTS, { withinMs: 10_000 })).toBe(true)
    released = Promise.resolve()
    // answered after all five batches have arrived
    expect(await calls.request(wait, {})).toEqual({ ok: true })
    expect(stored).toEqual(['a', 'b'])
    storing = undefined
    release()
    expect(await Promise.all(batches)).toHaveLength(ids.length)
    expect(stored).toEqual(ids)
  })

  it('lowers its limit while its work is late, and raises it again', async () => {
    hold()
    delays = { eventLoop: 0, connection: 2_000 }
    const outcomes = makeCalls(600)
    expect(
      await waitUntil(
        async () => {
          const probe = makeCalls(1)
          await Promise.race([probe.done, new Promise((resolve) => setTimeout(resolve, 500))])
          return probe.refused === 1
        },
        { withinMs: 20_000, everyMs: 50 },
      ),
    ).toBe(true)
    delays = { eventLoop: 0, connection: 0 }
    release()
    await outcomes.done
    released = Promise.resolve()
    expect(
      await waitUntil(
        async () => {
          const more = makeCalls(400)
          await more.done
          return more.refused === 0
        },
        { withinMs: 20_000, everyMs: 10 },
      ),
    ).toBe(true)
  })
})
