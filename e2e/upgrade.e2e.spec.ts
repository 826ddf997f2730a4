import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { ApiClient, type ApiResponse } from './testing/api-client.js'
import { ended, type PartnerList, type Upload } from './testing/partner-shop.js'
import { ReadyGateways } from './testing/ready-gateways.js'
import { openSearchShop, type SearchShop } from './testing/search-shop.js'
import { expectStatus, ROOT } from './testing/shop.js'

/*
 * PREVIOUS_RELEASE is a checkout of the release before this one; without it the spec is skipped:
 *   git worktree add ../previous v0.1.0 && PREVIOUS_RELEASE=$PWD/../previous npx jest e2e/upgrade
 */
const previous = process.env.PREVIOUS_RELEASE

jest.setTimeout(600_000)

const STOCKED = Array.from({ length: 20 }, (_, index) => `roll-${index}`)
const CLIENTS = 4
/** Answers that each client waits for in each phase: every kind of request, by both releases. */
const ANSWERS = 60

interface Client {
  partner: ApiClient
  erp: ApiClient
  admin: ApiClient
}
type Request = (client: Client, turn: number) => Promise<ApiResponse<{ message?: string }>>

/** The whole previous release runs all the time; this one joins it on its bus and its databases, and leaves again. */
;(previous === undefined ? describe.skip : describe)('the previous release and this one side by side', () => {
  let shop: SearchShop
  let fresh: RunningProduct | undefined
  let lists: PartnerList[]
  let phase = ''
  /** the gateways that clients use, by release */
  let used: ReadyGateways[] = []
  let over = false
  let running: Promise<void>[]
  const answered = new Map<string, number>()
  const failures: string[] = []
  const tasks: number[] = []
  const sorts = new Map<string, number>()

  beforeAll(async () => {
    shop = await openSearchShop({ root: previous ?? '' })
    lists = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => shop.newList(`Client ${index}`)))
    const products = STOCKED.map((id) => ({ id_erp: id, name: id }))
    expectStatus(await shop.erp.post('/products/batch-upsert', products), 200)
    used = [await gatewaysOf(shop.product)]
    running = lists.map((list, index) => run(index, list))
  })
  afterAll(async () => {
    over = true
    await Promise.all(running ?? [])
    for (const gateways of used) gateways.stop()
    await fresh?.stop()
    await shop?.stop()
  })

  const gatewaysOf = async (product: RunningProduct) => {
    const gateways = new ReadyGateways(product)
    await gateways.start()
    return gateways
  }

  const requests = (index: number, list: PartnerList): [string, Request][] => [
    ...Object.entries(shop.requests).map(([name, request]): [string, Request] => [
      name,
      async ({ partner }) => {
        const answer = await request(partner, list)
        if (name === 'upload-price-list' && answer.status === 200)
          tasks.push((answer.body as unknown as Upload).task_id)
        return answer
      },
    ]),
    [
      'products',
      async ({ erp }, turn) => {
        const body = STOCKED.map((_, at) => ({ id_erp: `${index}-${at}`, name: `Product ${at}`, sort_order: turn }))
        const answer = await erp.post<object>('/products/batch-upsert', body)
        if (answer.status === 200) sorts.set(`${index}-0`, turn)
        return answer
      },
    ],
    [
      'stocks',
      ({ erp }, turn) =>
        erp.post(
          '/stocks/batch-update',
          STOCKED.map((id) => ({ product_id_erp: id, quantity: turn })),
        ),
    ],
    [
      'categories',
      ({ erp }, turn) => erp.post('/categories/batch-upsert', [{ id_erp: `c-${index}`, name: `C ${turn}` }]),
    ],
    ['delete', ({ erp }, turn) => erp.post('/products/delete', { ids_erp: [`gone-${turn}`] })],
    ['ping', ({ erp }) => erp.get('/ping')],
    ['product', ({ admin }) => admin.get(`/products/by-erp-id/${STOCKED[0]}`)],
    ['supplies', ({ admin }) => admin.get('/supplies')],
    ['lists', ({ admin }) => admin.get('/price-lists')],
    ['settings', ({ admin }) => admin.patch('/settings', { b2b_enabled: true })],
  ]

  /** Sends every kind of request in turn to the gateways that are used. */
  const run = async (index: number, list: PartnerList) => {
    const clients = new Map<number, Client>()
    const clientOf = (port: number): Client => {
      const url = `http://127.0.0.1:${port}`
      const client = clients.get(port) ?? {
        partner: shop.partnerOf(url),
        erp: new ApiClient(`${url}/api/erp`, { authorization: `Bearer ${shop.erpToken}` }),
        admin: new ApiClient(`${url}/api/admin`, { authorization: `Bearer ${shop.product.adminToken}` }),
      }
      clients.set(port, client)
      return client
    }
    const kinds = requests(index, list)
    for (let turn = 1; !over; turn++) {
      const [name, request] = kinds[turn % kinds.length] as (typeof kinds)[number]
      // not by the turn, which would pair each kind of request with one release
      const port = used[Math.floor(turn / kinds.length) % used.length]?.pick() ?? used[0]?.pick()
      const during = phase
      const answer = port === undefined ? 'no gateway is ready' : await request(clientOf(port), turn).catch(String)
      if (typeof answer === 'string') failures.push(`${during}: ${name}: ${answer}`)
      else if (answer.status !== 200 || answer.body.message?.startsWith('Partial'))
        failures.push(`${during}: ${name}: ${answer.status} ${answer.text.slice(0, 300)}`)
      answered.set(`${during} ${index}`, (answered.get(`${during} ${index}`) ?? 0) + 1)
      if (typeof answer === 'string') await delay(100)
    }
    for (const client of clients.values()) for (const one of Object.values(client) as ApiClient[]) one.close()
  }

  /** Waits until every client had answers in a phase. */
  const pass = async (name: string) => {
    phase = name
    const fewest = async () => Math.min(...lists.map((_, index) => answered.get(`${name} ${index}`) ?? 0))
    await waitFor(fewest, (count) => count >= ANSWERS, 120_000)
    expect(failures).toEqual([])
  }

  const startThisRelease = () => {
    const { stateDir } = shop.product
    const [database] = [...shop.product.processes('mongodb'), ...shop.product.processes('ferretdb')]
    const [bus] = shop.product.processes('nats')
    const hasPasswords = existsSync(join(stateDir, 'credentials.json'))
    return startProduct({
      root: ROOT,
      env: {
        MONGODB_URL: hasPasswords ? shop.product.databaseUrl() : `mongodb://127.0.0.1:${database?.port}/`,
        NATS_URL: hasPasswords ? shop.product.busUrl() : `nats://127.0.0.1:${bus?.port}`,
        ADMIN_TOKEN: shop.product.adminToken,
        SECRETS_KEY: readFileSync(join(stateDir, 'secrets-key'), 'utf8').trim(),
        UPLOADS_PATH: join(stateDir, 'uploads'),
        FILES_PATH: join(stateDir, 'files'),
      },
    })
  }

  it('answers while the services of this release join', async () => {
    await pass('before')
    phase = 'joining'
    fresh = await startThisRelease()
    await pass('new services, old gateway')
  })

  it('answers through the gateways of both', async () => {
    if (!fresh) throw new Error('this release has not started')
    used = [...used, await gatewaysOf(fresh)]
    await pass('both gateways')
  })

  it('answers after this release has left', async () => {
    const [old, ...others] = used
    if (!old) throw new Error('no gateway is used')
    phase = 'leaving'
    used = [old]
    await fresh?.stop()
    for (const gateways of others) gateways.stop()
    fresh = undefined
    await pass('after the rollback')
  })

  it('stored every acknowledged write, and completed every import', async () => {
    over = true
    await Promise.all(running)
    for (const [id, sort] of sorts) expect([id, (await shop.productOf(id)).sort]).toEqual([id, sort])
    expect(tasks.length).toBeGreaterThan(CLIENTS)
    for (const task of await ended(shop, tasks, 60_000)) expect(task).toMatchObject({ status: 'completed' })
  })
})
