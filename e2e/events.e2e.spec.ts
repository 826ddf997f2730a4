import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { databaseProcesses } from './testing/database-processes.js'
import { batchesByItem, readEvents } from './testing/event-reader.js'
import { crash } from './testing/outage.js'
import { type Deactivation, expectStatus, openShop, type Shop } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { WriteLog } from './testing/write-log.js'

jest.setTimeout(400_000)

const STOCKED = Array.from({ length: 200 }, (_, index) => `stocked-${index}`)
const databases = await databaseProcesses()

describe('events after kill -9 in the middle of batches (rules.md#events-once)', () => {
  let shop: Shop
  const log = new WriteLog()
  const newClient = () => {
    const client = shop.openErp()
    return () => client
  }

  beforeAll(async () => {
    shop = await openShop()
    const products = STOCKED.map((id) => ({ id_erp: id, name: id }))
    expectStatus(await shop.erp.post('/products/batch-upsert', products), 200)
    for (const client of ['one', 'two', 'three']) log.writeProducts(newClient(), client, 150)
    log.writeStocks(newClient(), STOCKED.slice(0, 100))
    log.writeStocks(newClient(), STOCKED.slice(100))
    await log.acknowledgedMore(10)
    const kill = async (name: string) => {
      await crash(shop.product, name, () => log.freeze())
      log.thaw()
      await log.acknowledgedMore(8)
    }
    for (const name of ['catalog', 'stock', 'gateway', 'nats', ...databases])
      for (let turn = 0; turn < 2; turn++) await kill(name)
    await shop.product.kill('nats')
    await kill('catalog')
    await log.stop()
  }, 400_000)
  afterAll(() => shop?.stop())

  it('of every acknowledged change are on the stream for a consumer that starts late', async () => {
    const changes = [...log.keys].filter(([, owned]) => owned.acknowledged > 0)
    expect(changes.length).toBeGreaterThan(600)
    const missing = await waitFor(
      async () => {
        const events = await readEvents(shop.product)
        const products = batchesByItem(events, 'catalog.product.upserted')
        const stocks = batchesByItem(events, 'stock.supply.updated')
        return changes
          .filter(([key, { history }]) => {
            const [kind, id = ''] = key.split('/')
            return ((kind === 'products' ? products : stocks).get(id) ?? 0) < history.length
          })
          .map(([key, { history }]) => `${key}: fewer than ${history.length}`)
      },
      (left) => left.length === 0,
      // where later batches hide whether a killed one has written, the relay waits until it counts as abandoned
      250_000,
      1_000,
    )
    expect(missing).toEqual([])
  })

  it('are published although catalog is killed right after its answer', async () => {
    expectStatus(await shop.erp.post('/products/batch-upsert', [{ id_erp: 'killed', name: 'Killed' }]), 200)
    await crash(shop.product, 'catalog')
    expectStatus(await shop.erp.post<Deactivation>('/products/delete', { ids_erp: ['killed'] }), 200)
    await crash(shop.product, 'catalog')
    for (const subject of ['catalog.product.upserted', 'catalog.product.deactivated']) {
      await waitFor(
        async () => batchesByItem(await readEvents(shop.product), subject),
        (items) => items.has('killed'),
        90_000,
        500,
      )
    }
  })
})
