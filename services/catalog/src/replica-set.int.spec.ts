import { getProduct } from '@partsbus/contracts/catalog/commands'
import { productUpserted } from '@partsbus/contracts/events'
import { streams } from '@partsbus/contracts/streams'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { noRealSet, noSignals, ReplicaSetControl } from '@partsbus/test-kit/replica-set/replica-set-control'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { setTimeout as delay } from 'node:timers/promises'
import { ABANDONED_AFTER_MS } from './events/event-outbox.js'
import { OutboxRelay } from './outbox-relay.js'
import { ProductStore } from './products/product-store.js'
import { type CatalogUnderTest, startCatalogUnderTest } from './testing/catalog-under-test.js'

const WRITERS = 4
const ITEMS = 20
const REPEATED_AFTER_MS = 20
/** Longer than a socket timeout and its repetition would be without a `wtimeoutMS`. */
const STALLED_MS = 150_000
const itSignals = noSignals === '' ? it : it.skip

const running: Erp[] = []
let set: ReplicaSetControl
let catalog: CatalogUnderTest
let resume = async (): Promise<void> => undefined
beforeAll(async () => {
  set = await ReplicaSetControl.open(testMongodbUrl())
  catalog = await startCatalogUnderTest(set.url)
})
// of tests that failed
afterEach(async () => {
  for (const erp of running.splice(0)) await erp.stop()
})
afterAll(async () => {
  await resume()
  await catalog?.stop()
  await set?.close()
})

/** ERP ids of all products in events on the stream. */
async function readPublished(): Promise<string[]> {
  const manager = await jetstreamManager(catalog.connection.nc)
  const { state } = await manager.streams.info(streams.events.name)
  if (state.messages === 0) return []
  const consumer = await jetstream(catalog.connection.nc).consumers.get(streams.events.name)
  const ids: string[] = []
  for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 2_000 })) {
    if (message.subject !== productUpserted.subject) continue
    ids.push(...productUpserted.payload.parse(message.json()).items.map(({ erp_id }) => erp_id))
  }
  return ids
}

/** How a batch is answered. */
const answerOf = (batch: Promise<unknown>): Promise<string> =>
  batch.then(
    () => 'OK',
    (error: { code?: string }) => error.code ?? String(error),
  )

/** Sends batches, and repeats each until it is saved, as an ERP does. */
class Erp {
  readonly acknowledged: string[] = []
  readonly answers = new Set<string>()
  private stopped = false
  private readonly work: Promise<void>[]

  constructor(prefix: string) {
    running.push(this)
    this.work = Array.from({ length: WRITERS }, (_, writer) => this.write(`${prefix}${writer}`))
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all(this.work)
  }

  async acknowledgedMore(count: number): Promise<void> {
    const enough = this.acknowledged.length + count * ITEMS
    await waitFor(
      async () => this.acknowledged.length,
      (length) => length >= enough,
      60_000,
      5,
    )
  }

  private async write(prefix: string): Promise<void> {
    for (let batch = 0; !this.stopped; batch += 1) {
      const items = Array.from({ length: ITEMS }, (_, at) => ({ id_erp: `${prefix}-${batch}-${at}`, name: 'Bolt' }))
      for (let answer = ''; answer !== 'OK';) {
        answer = await answerOf(catalog.products(items))
        this.answers.add(answer)
        if (this.stopped) return
        if (answer !== 'OK') await delay(REPEATED_AFTER_MS)
      }
      this.acknowledged.push(...items.map(({ id_erp }) => id_erp))
    }
  }
}

async function expectAllStored(erp: Erp, withinMs = 60_000): Promise<void> {
  const { collection } = catalog.get(ProductStore)
  const stored = await collection.find({ _id: { $in: erp.acknowledged } }).toArray()
  expect(stored).toHaveLength(erp.acknowledged.length)
  expect(stored.filter(({ rev }) => rev !== 1)).toEqual([])
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length)
  expect(new Set(stored.map(({ slug }) => slug)).size).toBe(stored.length)
  const isMissing = (published: string[]) => {
    const found = new Set(published)
    return erp.acknowledged.filter((id) => !found.has(id))
  }
  // the relay publishes what a refused batch had written
  await waitFor(
    async () => isMissing(await readPublished()),
    (missing) => missing.length === 0,
    withinMs,
    500,
  )
}

describe('batches of the ERP while the primary changes (promises.md#promise-1, promises.md#promise-2)', () => {
  it('are saved once and refuse nothing for long when it steps down', async () => {
    const erp = new Erp('step')
    await erp.acknowledgedMore(8)
    await set.stepDown()
    await erp.acknowledgedMore(8)
    await erp.stop()
    expect([...erp.answers].filter((answer) => !['OK', 'UNAVAILABLE'].includes(answer))).toEqual([])
    await expectAllStored(erp)
  })

  itSignals(`are answered 503 when it is killed, and saved within seconds of the next one${noSignals}`, async () => {
    const erp = new Erp('kill')
    await erp.acknowledgedMore(8)
    const { elected, restart } = await set.killPrimary()
    await elected
    const begun = performance.now()
    await erp.acknowledgedMore(WRITERS + 1)
    const backMs = performance.now() - begun
    await restart()
    await erp.acknowledgedMore(8)
    await erp.stop()
    expect([...erp.answers].sort()).toEqual(['OK', 'UNAVAILABLE'])
    expect(backMs).toBeLessThan(5_000)
    await expectAllStored(erp)
  })
})

describe('a majority that stalls in the middle of a batch', () => {
  it('delays its events until it has what was written, and loses none (rules.md#events-once)', async () => {
    await catalog.products([{ id_erp: 'stalled', name: 'Before' }])
    const outbox = catalog.get(OutboxStore)
    const relay = () => catalog.get(OutboxRelay).relay(() => false, { overdueAfterMs: -1_000, abandonedAfterMs: 0 })
    // what the batches before left
    await relay()
    expect(await outbox.overdue(-1_000)).toEqual([])
    const change = [{ id_erp: 'stalled', name: 'After' }]
    const add = outbox.add.bind(outbox)
    const recorded = jest.spyOn(outbox, 'add').mockImplementationOnce(async (...entry) => {
      await add(...entry)
      resume = await set.stallMajority()
    })
    expect(await answerOf(catalog.products(change))).toBe('UNAVAILABLE')
    recorded.mockRestore()
    // other requests are answered from what the majority has
    expect(await catalog.ask(getProduct, { erp_id: 'stalled' })).toMatchObject({ name: 'Before' })
    await relay()
    expect(await outbox.overdue(-1_000)).toHaveLength(1)
    await resume()
    await waitFor(
      () => catalog.ask(getProduct, { erp_id: 'stalled' }),
      ({ name }) => name === 'After',
    )
    // the ERP repeats the batch, which changes nothing any more
    expect(await catalog.products(change)).toMatchObject({ processed: 1, updated: 1 })
    await relay()
    const published = (await readPublished()).filter((id) => id === 'stalled')
    expect(published.length).toBeGreaterThanOrEqual(2)
    expect(await outbox.overdue(-1_000)).toEqual([])
  })

  ;(noRealSet === '' ? it : it.skip)(
    `for ${STALLED_MS / 1_000} s refuses batches and answers other requests${noRealSet}`,
    async () => {
      const erp = new Erp('long')
      await erp.acknowledgedMore(8)
      resume = await set.stallMajority()
      const stalledAt = performance.now()
      const readMs: number[] = []
      await waitFor(
        async () => {
          const askedAt = performance.now()
          await catalog.ask(getProduct, { erp_id: 'stalled' })
          readMs.push(performance.now() - askedAt)
          return performance.now() - stalledAt
        },
        (stalledMs) => stalledMs > STALLED_MS,
        2 * STALLED_MS,
        1_000,
      )
      await resume()
      expect(Math.max(...readMs)).toBeLessThan(15_000)
      await erp.acknowledgedMore(8)
      await erp.stop()
      const answers = [...erp.answers].filter((answer) => !['OK', 'UNAVAILABLE', 'OVERLOADED'].includes(answer))
      expect(answers).toEqual([])
      await expectAllStored(erp, 2 * ABANDONED_AFTER_MS)
    },
    2 * (STALLED_MS + 2 * ABANDONED_AFTER_MS),
  )
})
