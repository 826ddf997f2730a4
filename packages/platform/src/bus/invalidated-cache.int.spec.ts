import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { type BusConnection, connectBus } from './connection.js'
import { InvalidatedCache, publishInvalidation } from './invalidated-cache.js'
import { createLog } from '../process/log.js'

const SUBJECT = 'stock.storages.changed'
let server: NatsServer
let writer: BusConnection
let reader: BusConnection
let asker: BusConnection
beforeAll(async () => {
  server = await startNats()
  const open = () => connectBus({ url: server.url, name: 'test', log: createLog('test', 'silent') })
  ;[writer, reader, asker] = [await open(), await open(), await open()]
})
afterAll(async () => {
  for (const bus of [writer, reader, asker]) await bus.close()
  await server.stop()
})

/** A cached value with a stopped clock. */
async function remembering() {
  const clock = { now: 0 }
  const remembered = new InvalidatedCache<number>(reader, SUBJECT, () => clock.now)
  await reader.nc.flush()
  const stored = { value: 1, reads: 0 }
  const read = async (): Promise<number> => {
    stored.reads += 1
    return stored.value
  }
  return { clock, remembered, stored, ask: async () => remembered.get('a') ?? remembered.read('a', read) }
}

describe('what is remembered', () => {
  it('is not read again, for a second', async () => {
    const { clock, stored, ask } = await remembering()
    await ask()
    clock.now = 1_000
    await ask()
    expect(stored.reads).toBe(1)
    clock.now = 1_001
    await ask()
    expect(stored.reads).toBe(2)
  })

  it('is read again in the background by a query after 600 ms, once', async () => {
    const { clock, remembered, stored, ask } = await remembering()
    await ask()
    stored.value = 2
    clock.now = 601
    let refreshes = 0
    const finish: Array<(value: number) => void> = []
    const refresh = (): Promise<number> =>
      remembered.read('a', () => {
        refreshes += 1
        return new Promise((done) => finish.push(done))
      })
    expect([remembered.get('a', refresh), remembered.get('a', refresh)]).toEqual([1, 1])
    expect(refreshes).toBe(1)
    finish[0]?.(stored.value)
    await new Promise((done) => setImmediate(done))
    clock.now = 1_601
    expect(remembered.get('a', refresh)).toBe(2)
    clock.now = 1_602
    expect(remembered.get('a', refresh)).toBeUndefined()
  })

  it('expires although a read in the background fails, or an invalidation overtakes it', async () => {
    const { clock, remembered, ask } = await remembering()
    await ask()
    clock.now = 700
    expect(remembered.get('a', () => remembered.read('a', () => Promise.reject(new Error('down'))))).toBe(1)
    await new Promise((done) => setImmediate(done))
    clock.now = 1_001
    expect(remembered.get('a')).toBeUndefined()
    await ask()
    clock.now = 1_800
    let finish: (value: number) => void = () => undefined
    const refresh = () => remembered.read('a', () => new Promise((done) => (finish = done)))
    expect(remembered.get('a', refresh)).toBe(1)
    await publishInvalidation(writer, SUBJECT)
    await reader.nc.flush()
    finish(1)
    await new Promise((done) => setImmediate(done))
    expect(remembered.get('a')).toBeUndefined()
  })

  it('is never the value before an acknowledged change, in any process', async () => {
    const { stored, ask } = await remembering()
    reader.nc.subscribe('test.ask', {
      callback: (_error, message) => {
        void ask().then((value) => message.respond(String(value)))
      },
    })
    await reader.nc.flush()
    for (let value = 2; value <= 300; value += 1) {
      await asker.nc.request('test.ask', undefined, { timeout: 20_000 })
      stored.value = value
      await publishInvalidation(writer, SUBJECT)
      expect((await asker.nc.request('test.ask', undefined, { timeout: 20_000 })).string()).toBe(String(value))
    }
  })

  it('is not a value whose read was in flight at the invalidation', async () => {
    const { remembered } = await remembering()
    let finish: (value: number) => void = () => undefined
    const early = remembered.read(
      'a',
      () =>
        new Promise((done) => {
          finish = done
        }),
    )
    await publishInvalidation(writer, SUBJECT)
    await reader.nc.flush()
    finish(1)
    expect(await early).toBe(1)
    expect(remembered.get('a')).toBeUndefined()
  })

  it('is nothing after the bus was lost, nor what is read while it is away', async () => {
    const lost: Array<() => void> = []
    const bus = {
      nc: reader.nc,
      up: true,
      isUp: () => bus.up,
      onLoss: (listener: () => void) => {
        lost.push(listener)
      },
    }
    const remembered = new InvalidatedCache<number>(bus, SUBJECT)
    await remembered.read('a', async () => 1)
    expect(remembered.get('a')).toBe(1)
    bus.up = false
    for (const listener of lost) listener()
    expect(remembered.get('a')).toBeUndefined()
    await remembered.read('a', async () => 2)
    bus.up = true
    expect(remembered.get('a')).toBeUndefined()
  })

  it('is waited out where the bus is a cluster, or away', async () => {
    const took = async (bus: Parameters<typeof publishInvalidation>[0]): Promise<number> => {
      const start = performance.now()
      await publishInvalidation(bus, SUBJECT)
      return performance.now() - start
    }
    expect(await took({ nc: writer.nc, isUp: () => false })).toBeGreaterThanOrEqual(1_000)
    const cluster = { ...writer.nc, info: { cluster: 'three' } } as unknown as BusConnection['nc']
    expect(await took({ nc: cluster, isUp: () => true })).toBeGreaterThanOrEqual(1_000)
  })
})
