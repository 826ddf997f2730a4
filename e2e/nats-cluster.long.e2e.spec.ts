import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type NatsCluster, startNatsCluster } from './testing/nats-cluster.js'
import { expectStatus, openShop, type Shop } from './testing/shop.js'
import { WriteLog } from './testing/write-log.js'

const STOCKED = Array.from({ length: 20 }, (_, index) => `stocked-${index}`)
const RECOVERY_MS = 5_000

describe('a cluster of three NATS nodes', () => {
  let cluster: NatsCluster
  let shop: Shop
  /** one per client: each of them must go on */
  let clients: WriteLog[] = []
  const everyClient = (count: number) => Promise.all(clients.map((client) => client.acknowledgedMore(count)))

  beforeAll(async () => {
    cluster = await startNatsCluster(3)
    shop = await openShop({
      replicas: 'catalog=2,stock=2',
      env: { NATS_URL: cluster.url, STREAM_REPLICAS: '3' },
    })
    const products = STOCKED.map((id) => ({ id_erp: id, name: id }))
    expectStatus(await shop.erp.post('/products/batch-upsert', products), 200)
    clients = [new WriteLog(), new WriteLog(), new WriteLog()]
    clients[0]?.writeProducts(() => shop.erp, 'one', 10)
    clients[1]?.writeProducts(() => shop.erp, 'two', 10)
    clients[2]?.writeStocks(() => shop.erp, STOCKED)
  }, 300_000)

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.stop()))
    await shop?.stop()
    await cluster?.stop()
  }, 120_000)

  it('has every stream on three nodes', async () => {
    for (const stream of ['EVENTS', 'MEDIA', 'IMPORTS']) expect(await cluster.replicasOf(stream)).toBe(3)
  })

  it.each([0, 1, 2])(
    'acknowledges writes again within 5 s when node %i is killed (promises.md#promise-5)',
    async (index) => {
      const node = cluster.nodes[index]
      await cluster.waitUntilCurrent()
      await everyClient(5)
      await node?.kill()
      const killed = performance.now()
      await everyClient(1)
      const ms = performance.now() - killed
      await everyClient(10)
      await node?.restart()
      await cluster.waitUntilCurrent()
      expect(ms).toBeLessThan(RECOVERY_MS)
    },
    300_000,
  )

  it('loses no acknowledged write (promises.md#promise-1)', async () => {
    await everyClient(5)
    for (const client of clients) {
      await client.stop()
      expect(await client.compare(shop)).toEqual([])
    }
  }, 120_000)
})
