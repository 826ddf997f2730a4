import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { DisturbedImports } from './faults/disturbed-imports.js'
import type { ApiClient } from './testing/api-client.js'
import { isBack, keepAway } from './testing/outage.js'
import { ended, type PartnerList, type Upload } from './testing/partner-shop.js'
import { ReadyGateways } from './testing/ready-gateways.js'
import { openSearchShop, type SearchShop } from './testing/search-shop.js'
import { expectStatus } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

jest.setTimeout(240_000)

const SERVICES = ['gateway', 'catalog', 'stock', 'pricing-import', 'supplier-search']
const CLIENTS = 5

interface Failure {
  name: string
  reason: string
  during: string
}

/** Two replicas of each service, and the import lease of production. */
describe('the partner API over restarts and long outages', () => {
  let shop: SearchShop
  beforeAll(async () => {
    shop = await openSearchShop({
      replicas: SERVICES.map((name) => `${name}=2`).join(','),
      env: { IMPORT_BATCH_ROWS: '500' },
    })
  }, 300_000)
  afterAll(() => shop?.stop())

  describe('a rolling restart of every process under load (promises.md#promise-4)', () => {
    const failures: Failure[] = []
    const answered = new Map<string, number>()
    const scheduledTasks: number[] = []
    let during = 'before'

    /** Sends every kind of request in turn, to gateways that are ready, until `state.over`. */
    const runClient = async (gateways: ReadyGateways, state: { over: boolean }, list: PartnerList, first: number) => {
      const clients = new Map<number, ApiClient>()
      const clientOf = (port: number) => {
        const client = clients.get(port) ?? shop.partnerOf(`http://127.0.0.1:${port}`)
        clients.set(port, client)
        return client
      }
      const requests = Object.entries(shop.requests)
      for (let turn = first; !state.over; turn++) {
        const [name, request] = requests[turn % requests.length] as (typeof requests)[number]
        const failed = (reason: string) => failures.push({ name, reason, during })
        const port = gateways.pick()
        const answer =
          port === undefined
            ? void failed('no gateway was ready')
            : await request(clientOf(port), list).catch((error: unknown) => void failed(String(error)))
        if (answer === undefined) await delay(50)
        else if (answer.status !== 200 || answer.body.message.startsWith('Partial'))
          failed(`${answer.status} ${answer.text.slice(0, 200)}`)
        else if (name === 'upload-price-list') scheduledTasks.push((answer.body as unknown as Upload).task_id)
        answered.set(during, (answered.get(during) ?? 0) + 1)
      }
      for (const client of clients.values()) client.close()
    }

    it('fails no request and completes every scheduled import', async () => {
      const gateways = new ReadyGateways(shop.product)
      await gateways.start()
      const state = { over: false }
      const lists = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => shop.newList(`Client ${index}`)))
      const clients = lists.map((list, index) => runClient(gateways, state, list, index))
      try {
        for (const name of SERVICES) {
          for (const replica of [1, 2]) {
            during = `${name} ${replica}`
            const { pid } = shop.product.kill(name, 'SIGTERM', replica)
            await waitFor(
              async () => shop.product.processes(name).find((one) => one.replica === replica && one.pid !== pid),
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
      } finally {
        state.over = true
        await Promise.all(clients)
        gateways.stop()
      }
      expect(failures).toEqual([])
      for (const name of SERVICES)
        for (const replica of [1, 2])
          expect([name, replica, answered.get(`${name} ${replica}`)]).toEqual([name, replica, expect.any(Number)])
      expect(scheduledTasks.length).toBeGreaterThan(20)
      const count = async (status: string) =>
        expectStatus(await shop.admin.get<{ total: number }>(`/import-tasks?status=${status}`), 200).body.total
      await waitFor(
        async () => (await count('pending')) + (await count('processing')),
        (open) => open === 0,
        60_000,
      )
      expect(await count('failed')).toBe(0)
      for (const task of await ended(shop, scheduledTasks.slice(-20), 5_000))
        expect(task).toMatchObject({ status: 'completed', imported_rows: 1 })
      expect(await count('completed')).toBeGreaterThanOrEqual(scheduledTasks.length)
    })
  })

  describe('imports (promises.md#promise-3)', () => {
    let imports: DisturbedImports
    beforeAll(async () => {
      imports = await DisturbedImports.open(shop, { lists: 4, rows: 6_000 })
    }, 120_000)

    it('continue while the bus is down for 30 s, and every request is answered 503 at once', async () => {
      const { claims } = await imports.during(async (tasks) => {
        await imports.reached(tasks, imports.allRows / 8)
        await keepAway(shop.product, 'nats', async () => {
          const end = Date.now() + 30_000
          await waitFor(
            () => shop.partner.post('/get-parts', shop.question),
            ({ status }) => status === 503,
            10_000,
            20,
          )
          while (Date.now() < end) {
            for (const [name, request] of Object.entries(shop.requests)) {
              const answer = await request(shop.partner)
              expect([name, answer.status]).toEqual([name, 503])
              expect(answer.ms).toBeLessThan(1_000)
            }
            await delay(500)
          }
        })
        await waitFor(() => isBack(shop.product, 'nats'), Boolean, 30_000, 20)
        const back = Date.now()
        for (const request of Object.values(shop.requests))
          await waitFor(
            () => request(shop.partner),
            ({ status }) => status === 200,
            5_000 - (Date.now() - back),
            50,
          )
      })
      expect(claims).toEqual(imports.lists.map(() => 1))
    })

    it('of killed and frozen workers continue within 35 s, and a worker that wakes up changes nothing', async () => {
      const { claims } = await imports.during(async (tasks) => {
        await imports.reached(tasks, imports.allRows / 8)
        const { pid } = shop.product.kill('pricing-import', 'SIGSTOP', 2)
        try {
          shop.product.kill('pricing-import', 'SIGKILL', 1)
          const fault = Date.now()
          await ended(shop, tasks, 35_000 - (Date.now() - fault))
        } finally {
          process.kill(pid, 'SIGCONT')
        }
        // When it is ready again, its interrupted work is finished.
        await shop.product.waitUntilReady()
      })
      // Each import was claimed once; unfinished ones were claimed once more.
      for (const count of claims) expect(count).toBeLessThanOrEqual(2)
      expect(claims).toContain(2)
    })
  })
})
