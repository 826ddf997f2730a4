import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { ApiClient } from './testing/api-client.js'
import { ReadyGateways } from './testing/ready-gateways.js'
import { ended, openPartnerShop, type PartnerShop, upload } from './testing/partner-shop.js'
import { expectStatus } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

jest.setTimeout(240_000)

interface Failure {
  what: string
  why: string
  during: string
}

interface Clients {
  erp: ApiClient
  admin: ApiClient
  partner: ApiClient
}

const CLIENTS = 6
const SERVICES = ['gateway', 'catalog', 'stock', 'supplier-search', 'pricing-import']
const PRICE_LIST = 'brand;article;quantity;price\nKYB;334327;5;100\n'
const STOCKED = Array.from({ length: 50 }, (_, index) => `roll-${index}`)

/**
 * Promise 4: clients that honour `/readyz` see no failed request while every service is restarted, two replicas each.
 */
describe('rolling restart (promises.md#promise-4)', () => {
  let shop: PartnerShop
  let listId = 0
  let taskId = 0
  let gateways: ReadyGateways
  const failures: Failure[] = []
  const answered = new Map<string, number>()
  let during = 'before'
  let stopping = false
  let clients: Promise<void>[] = []
  /** the last acknowledged value of each client's product */
  const values = new Map<string, number>()

  beforeAll(async () => {
    shop = await openPartnerShop({ replicas: SERVICES.map((name) => `${name}=2`).join(',') })
    const list = await shop.newList('Rolling')
    listId = list.id
    await shop.set({ storages_for_crosses: [list.storageId] })
    taskId = expectStatus(await upload(shop.partner, listId, PRICE_LIST), 200).body.task_id
    await ended(shop, [taskId], 30_000)
    expectStatus(
      await shop.erp.post(
        '/products/batch-upsert',
        STOCKED.map((id) => ({ id_erp: id, name: id })),
      ),
      200,
    )
    gateways = new ReadyGateways(shop.product)
    await gateways.start()
  }, 300_000)
  afterAll(async () => {
    stopping = true
    await Promise.allSettled(clients)
    gateways?.stop()
    await shop?.stop()
  })

  const client = async (name: string) => {
    const clients = new Map<number, Clients>()
    const doorOf = (port: number) => {
      const made = clients.get(port) ?? {
        erp: new ApiClient(`http://127.0.0.1:${port}/api/erp`, { authorization: `Bearer ${shop.erpToken}` }),
        admin: new ApiClient(`http://127.0.0.1:${port}/api/admin`, {
          authorization: `Bearer ${shop.product.adminToken}`,
        }),
        partner: shop.partnerOf(`http://127.0.0.1:${port}`),
      }
      clients.set(port, made)
      return made
    }
    for (let turn = 0; !stopping; turn++) {
      const requests: [string, (client: Clients) => ReturnType<ApiClient['send']>][] = [
        ['ping', ({ erp }) => erp.get('/ping')],
        [
          'products',
          ({ erp }) =>
            erp.post(
              '/products/batch-upsert',
              Array.from({ length: 20 }, (_, index) => ({ id_erp: `${name}-${index}`, name, sort_order: turn })),
            ),
        ],
        [
          'stocks',
          ({ erp }) =>
            erp.post(
              '/stocks/batch-update',
              STOCKED.map((id) => ({ product_id_erp: id, quantity: turn })),
            ),
        ],
        ['read', ({ admin }) => admin.get(`/products/by-erp-id/${STOCKED[0]}`)],
        ['search', ({ partner }) => partner.post('/get-parts', { article: '334327', brands: ['KYB'] })],
        ['status', ({ partner }) => partner.post('/get-price-list-status', { task_id: taskId })],
        // every client uploads now and then
        turn % 56 === 6
          ? ['upload', ({ partner }) => upload(partner, listId, PRICE_LIST)]
          : ['pick-up points', ({ partner }) => partner.post('/get-pick-up-points', {})],
      ]
      const [what, ask] = requests[turn % requests.length] as (typeof requests)[number]
      const port = gateways.pick()
      if (port === undefined) {
        failures.push({ what, why: 'no gateway was ready', during })
        await new Promise((done) => setTimeout(done, 100))
        continue
      }
      try {
        const answer = await ask(doorOf(port))
        if (answer.status !== 200) failures.push({ what, why: `${answer.status} ${answer.text.slice(0, 200)}`, during })
        else if (what === 'products') values.set(name, turn)
        answered.set(during, (answered.get(during) ?? 0) + 1)
      } catch (error) {
        failures.push({ what, why: String(error), during })
      }
    }
    for (const open of clients.values()) Object.values(open).forEach((one: ApiClient) => one.close())
  }

  it('of every replica of every service in turn, under load: no failed request', async () => {
    clients = Array.from({ length: CLIENTS }, (_, index) => client(`client-${index}`))
    for (const name of SERVICES) {
      for (const replica of [1, 2]) {
        during = `${name} ${replica}`
        const { pid } = shop.product.kill(name, 'SIGTERM', replica)
        const replaced = () =>
          shop.product.processes(name).find((one) => (one.replica ?? 1) === replica && one.pid !== pid)
        await waitFor(
          async () => replaced(),
          (found) => found !== undefined,
          40_000,
        )
        await shop.product.waitUntilReady()
        const seen = answered.get(during) ?? 0
        await waitFor(
          async () => answered.get(during) ?? 0,
          (count) => count >= seen + 20,
          20_000,
        )
      }
    }
    stopping = true
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect(answered.size).toBe(2 * SERVICES.length)
    for (const [during_, count] of answered) expect([during_, count > 40]).toEqual([during_, true])
  })

  it('a change through one gateway applies to the next call to the other (rules.md#settings-change)', async () => {
    const [, second] = shop.product.processes('gateway')
    const other = (token: string) =>
      new ApiClient(`http://127.0.0.1:${second?.port}/api/erp`, { authorization: `Bearer ${token}` })
    for (let turn = 0; turn < 10; turn++) {
      const old = other(shop.erpToken)
      expect((await old.get('/ping')).status).toBe(200)
      shop.erpToken = expectStatus(await shop.admin.post<{ token: string }>('/settings/erp-token'), 200).body.token
      const client = other(shop.erpToken)
      expect([turn, (await old.get('/ping')).status, (await client.get('/ping')).status]).toEqual([turn, 401, 200])
      await shop.set({ erp_max_batch_items: 1 + (turn % 2) })
      const two = await client.post('/categories/batch-upsert', [
        { id_erp: 'a', name: 'A' },
        { id_erp: 'b', name: 'B' },
      ])
      expect([turn, two.status]).toEqual([turn, turn % 2 === 0 ? 422 : 200])
      for (const one of [old, client]) one.close()
    }
  })

  it('all acknowledged writes are stored', async () => {
    expect(values.size).toBe(CLIENTS)
    for (const [name, value] of values) expect((await shop.productOf(`${name}-19`)).sort).toBe(value)
  })
})
