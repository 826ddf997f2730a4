import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { ApiResponse, ApiClient } from './testing/api-client.js'
import { type FakeSupplier, startFakeSupplier } from './fake-supplier.js'
import { DisturbedImports } from './faults/disturbed-imports.js'
import { isBack, keepAway } from './testing/outage.js'
import {
  ended,
  openPartnerShop,
  type PartnerList,
  type PartnerShop,
  type Parts,
  scheduled,
  upload,
} from './testing/partner-shop.js'
import { ReadyGateways } from './testing/ready-gateways.js'
import { expectStatus, waitFor } from './testing/shop.js'

jest.setTimeout(240_000)

const SERVICES = ['gateway', 'catalog', 'stock', 'pricing-import', 'supplier-search']
const CLIENTS = 5
const LIST = 'brand;article;name;quantity;price\nFAKE;A-1;From a list;3;7\n'

/** The partners' half with two processes of each service, and the real lease of imports. */
describe('the partner API while its processes come and go', () => {
  let shop: PartnerShop
  let supplier: FakeSupplier
  let list: PartnerList
  /** asks own stock, a price list and an http supplier */
  let point = 0
  let storages: { own: number; listed: number; remote: number }

  beforeAll(async () => {
    supplier = await startFakeSupplier()
    shop = await openPartnerShop({
      replicas: SERVICES.map((name) => `${name}=2`).join(','),
      env: { IMPORT_BATCH_ROWS: '500' },
    })
    list = await shop.newList('Listed')
    const remote = expectStatus(
      await shop.admin.post<{ id: number }>('/storages', {
        name: 'Remote',
        supplier: {
          kind: 'http',
          base_url: supplier.url,
          dialect: 'standard',
          headers: {},
          timeout_ms: 4_000,
          cache_seconds: 0,
        },
      }),
      200,
      201,
    ).body.id
    storages = { own: shop.storageId, listed: list.storageId, remote }
    point = expectStatus(
      await shop.admin.post<{ id: number }>('/pick-up-points', { name: 'All', storage_ids: Object.values(storages) }),
      200,
      201,
    ).body.id
    expectStatus(
      await shop.erp.post('/products/batch-upsert', [
        { id_erp: 'own', name: 'Our own', brand: 'FAKE', article: 'A 1' },
      ]),
      200,
    )
    expectStatus(await shop.erp.post('/stocks/batch-update', [{ product_id_erp: 'own', quantity: 2 }]), 200)
    await ended(shop, [await scheduled(shop, list, LIST)], 30_000)
  }, 300_000)
  afterAll(async () => {
    await shop?.stop()
    await supplier?.stop()
  })

  const question = () => ({ article: 'a1', brands: ['FAKE'], pick_up_points: [point] })
  const outcomes = (own: string, listed: string, remote: string) =>
    `${storages.own}=${own},${storages.listed}=${listed},${storages.remote}=${remote}`
  const asks: Record<string, (door: ApiClient, into?: PartnerList) => Promise<ApiResponse>> = {
    'get-brands': (door) => door.post('/get-brands', { article: 'a1', pick_up_points: [point] }),
    'get-parts': (door) => door.post('/get-parts', question()),
    'get-pick-up-points': (door) => door.post('/get-pick-up-points'),
    'get-price-list-status': (door) => door.post('/get-price-list-status', { task_id: 1 }),
    'upload-price-list': (door, into = list) => upload(door, into.id, LIST),
  }

  it('answers everything before anything happens', async () => {
    const parts = expectStatus((await asks['get-parts']?.(shop.partner)) as ApiResponse<Parts>, 200)
    expect(parts.headers['x-suppliers']).toBe(outcomes('ok', 'ok', 'ok'))
    expect(parts.body).toMatchObject({ result: true, message: 'OK' })
    expect(parts.body.parts.map(({ name }) => name)).toEqual(['From outside', 'From a list', 'Our own'])
  })

  describe('a rolling restart of every process under load (promises.md#promise-4)', () => {
    const failures: Array<{ what: string; why: string; during: string }> = []
    const answered = new Map<string, number>()
    const taken: number[] = []
    let during = 'before'

    const client = async (
      gateways: ReadyGateways,
      state: { over: boolean },
      own: PartnerList,
      first: number,
    ): Promise<void> => {
      const doors = new Map<number, ApiClient>()
      const doorOf = (port: number): ApiClient => {
        const door = doors.get(port) ?? shop.partnerOf(`http://127.0.0.1:${port}`)
        doors.set(port, door)
        return door
      }
      const names = Object.keys(asks)
      for (let turn = first; !state.over; turn++) {
        const what = names[turn % names.length] as string
        const port = gateways.pick()
        const when = during
        if (port === undefined) failures.push({ what, why: 'no gateway was ready', during: when })
        const answer =
          port === undefined
            ? undefined
            : await asks[what]?.(doorOf(port), own).catch(
                (error: unknown) => void failures.push({ what, why: String(error), during: when }),
              )
        if (answer === undefined) await delay(50)
        else if (answer.status !== 200 || (answer.body as Parts).message.startsWith('Partial'))
          failures.push({ what, why: `${answer.status} ${answer.text.slice(0, 200)}`, during: when })
        else if (what === 'upload-price-list') taken.push((answer.body as { task_id: number }).task_id)
        answered.set(during, (answered.get(during) ?? 0) + 1)
      }
      for (const door of doors.values()) door.close()
    }

    it('fails no request, and imports what was taken', async () => {
      const gateways = new ReadyGateways(shop.product)
      await gateways.start()
      const state = { over: false }
      const lists = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => shop.newList(`Of client ${index}`)))
      const clients = lists.map((own, index) => client(gateways, state, own, index))
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
      expect(taken.length).toBeGreaterThan(20)
      const count = async (status: string) =>
        expectStatus(await shop.admin.get<{ total: number }>(`/import-tasks?status=${status}`), 200).body.total
      await waitFor(
        async () => (await count('pending')) + (await count('processing')),
        (open) => open === 0,
        60_000,
      )
      expect(await count('failed')).toBe(0)
      for (const task of await ended(shop, taken.slice(-20), 5_000))
        expect(task).toMatchObject({ status: 'completed', imported_rows: 1 })
      expect(await count('completed')).toBeGreaterThanOrEqual(taken.length)
    })
  })

  describe('something that is away (promises.md#promise-5)', () => {
    const away = { result: false, message: 'Service temporarily unavailable.' }
    const refused = async (...names: string[]) => {
      for (const name of names) {
        const answer = await (asks[name] as (door: ApiClient) => Promise<ApiResponse>)(shop.partner)
        expect([name, answer.status, answer.body]).toEqual([name, 503, away])
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
        expect(answer.ms).toBeLessThan(1_000)
      }
    }
    /** Keeps every process of that name away, until what was asked last knows it. */
    const without = async (name: string, isNoticed: () => Promise<boolean>, check: () => Promise<void>) => {
      await keepAway(shop.product, name, async () => {
        await waitFor(isNoticed, Boolean, 20_000, 20)
        await check()
      })
      await waitFor(() => isBack(shop.product, name), Boolean, 30_000, 20)
      const back = Date.now()
      for (const ask of Object.values(asks))
        await waitFor(
          () => ask(shop.partner),
          ({ status, body }) => status === 200 && !(body as Parts).message.startsWith('Partial'),
          5_000 - (Date.now() - back),
          50,
        )
      await shop.product.waitUntilReady()
    }
    const says = (status: number, message: string) => async () => {
      const answer = await shop.partner.post<Parts>('/get-parts', question())
      return answer.status === status && answer.body.message === message
    }
    const partial = (count: number) => `Partial result: ${count} of 3 suppliers did not answer.`
    const shown = async () => {
      const { status, headers, body, ms } = await shop.partner.post<Parts>('/get-parts', question())
      expect(ms).toBeLessThan(1_000)
      return [status, headers['x-suppliers'], body.message, body.parts.map(({ name }) => name)]
    }

    it('supplier-search: nobody can search, all else goes on', () =>
      without('supplier-search', says(503, away.message), async () => {
        await refused('get-brands', 'get-parts')
        for (const name of ['get-pick-up-points', 'get-price-list-status', 'upload-price-list'])
          expect([name, (await asks[name]?.(shop.partner))?.status]).toEqual([name, 200])
      }))

    it('pricing-import: no uploads; offers of the others', () =>
      without('pricing-import', says(200, partial(1)), async () => {
        await refused('get-price-list-status', 'upload-price-list')
        expect(await shown()).toEqual([200, outcomes('ok', 'error', 'ok'), partial(1), ['From outside', 'Our own']])
      }))

    it('catalog: offers of the others', () =>
      without('catalog', says(200, partial(1)), async () => {
        expect(await shown()).toEqual([200, outcomes('error', 'ok', 'ok'), partial(1), ['From outside', 'From a list']])
      }))

    it('stock: offers of the others, of the storages that were asked before', () =>
      without('stock', says(200, partial(1)), async () => {
        expect(await shown()).toEqual([200, outcomes('error', 'ok', 'ok'), partial(1), ['From outside', 'From a list']])
        await refused('get-pick-up-points')
      }))
  })

  describe('imports (promises.md#promise-3)', () => {
    let imports: DisturbedImports
    beforeAll(async () => {
      imports = await DisturbedImports.open(shop, { lists: 4, rows: 6_000 })
    }, 120_000)

    it('go on while the bus is away for 30 s, and every call is answered 503 at once', async () => {
      const { claims } = await imports.during(async (tasks) => {
        await imports.reached(tasks, imports.allRows / 8)
        await keepAway(shop.product, 'nats', async () => {
          const end = Date.now() + 30_000
          await waitFor(
            () => shop.partner.post('/get-parts', question()),
            ({ status }) => status === 503,
            10_000,
            20,
          )
          while (Date.now() < end) {
            for (const name of Object.keys(asks)) {
              const answer = await (asks[name] as (door: ApiClient) => Promise<ApiResponse>)(shop.partner)
              expect([name, answer.status]).toEqual([name, 503])
              expect(answer.ms).toBeLessThan(1_000)
            }
            await delay(500)
          }
        })
        await waitFor(() => isBack(shop.product, 'nats'), Boolean, 30_000, 20)
        const back = Date.now()
        for (const ask of Object.values(asks))
          await waitFor(
            () => ask(shop.partner),
            ({ status }) => status === 200,
            5_000 - (Date.now() - back),
            50,
          )
      })
      expect(claims).toEqual(imports.lists.map(() => 1))
    })

    it('whose workers are killed, and frozen for longer than their lease, are taken over in 35 s; who wakes up changes nothing', async () => {
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
        // what it still wanted to do when it woke up is over once it is ready again
        await shop.product.waitUntilReady()
      })
      // each was begun once, and those that were not done yet were taken over once
      for (const count of claims) expect(count).toBeLessThanOrEqual(2)
      expect(claims).toContain(2)
    })
  })
})
