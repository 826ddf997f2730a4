import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { ApiClient } from './testing/api-client.js'
import { databaseProcesses } from './testing/database-processes.js'
import { errorLines, readLogs } from './testing/log-files.js'
import { answerAtOnce, crash, expectRecovery } from './testing/outage.js'
import { expectStatus, openShop, type Shop } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { withDatabase } from './testing/stored-images.js'
import { WriteLog } from './testing/write-log.js'

jest.setTimeout(400_000)

const DATABASE_NAMES = ['ferretdb', 'postgres', 'mongod']
const SUPPLIER_SECRET = 'supplier-secret-never-to-be-seen'
const STOCKED = Array.from({ length: 200 }, (_, index) => `stocked-${index}`)
/** The database processes of this machine; cases for other databases are skipped. */
const database = await databaseProcesses()
const itWith = (name: string) => (!DATABASE_NAMES.includes(name) || database.includes(name) ? it : it.skip)

describe('faults', () => {
  let shop: Shop
  let b2bToken = ''
  const log = new WriteLog()
  const newClient = () => {
    const client = shop.openErp()
    return () => client
  }

  beforeAll(async () => {
    shop = await openShop()
    b2bToken = expectStatus(await shop.admin.post<{ token: string }>('/settings/b2b-token'), 200).body.token
    expectStatus(
      await shop.admin.post('/storages', {
        name: 'Http supplier',
        supplier: { kind: 'http', base_url: 'https://supplier.example', headers: { 'x-key': SUPPLIER_SECRET } },
      }),
      201,
    )
    expectStatus(
      await shop.erp.post(
        '/products/batch-upsert',
        STOCKED.map((id) => ({ id_erp: id, name: id })),
      ),
      200,
    )
  }, 300_000)
  afterAll(() => shop?.stop())

  describe('kill -9 in the middle of batches (promises.md#promise-1, promises.md#promise-2)', () => {
    beforeAll(async () => {
      for (const client of ['one', 'two', 'three']) log.writeProducts(newClient(), client, 150)
      log.writeStocks(newClient(), STOCKED.slice(0, 100))
      log.writeStocks(newClient(), STOCKED.slice(100))
      await log.acknowledgedMore(10)
    })
    afterEach(() => log.thaw())

    for (const name of ['catalog', 'stock', 'gateway', 'nats', ...DATABASE_NAMES])
      itWith(name)(`of ${name} loses nothing that was answered 200`, async () => {
        for (let turn = 0; turn < 2; turn++) {
          await crash(shop.product, name, () => log.freeze())
          expect(await log.compare(shop)).toEqual([])
          log.thaw()
          await log.acknowledgedMore(8)
        }
      })

    it('of nats and catalog at once loses no acknowledged write', async () => {
      await shop.product.kill('nats')
      await crash(shop.product, 'catalog', () => log.freeze())
      expect(await log.compare(shop)).toEqual([])
      log.thaw()
      await log.acknowledgedMore(8)
    })

    it('leads to the right state for clients that repeat unanswered requests', async () => {
      await log.stop()
      expect(log.refused.size).toBeGreaterThan(0)
      expect(await log.compare(shop)).toEqual([])
      const faulty = [...log.refused.keys()].filter((refused) => /^(4|500)/.test(refused))
      expect({ faulty, logged: faulty.length > 0 ? errorLines(shop.product) : [] }).toEqual({ faulty: [], logged: [] })
    })
  })

  describe('a dependency that is down (promises.md#promise-5)', () => {
    const requests: Record<string, () => ReturnType<ApiClient['send']>> = {
      catalog: () => shop.erp.post('/products/batch-upsert', [{ id_erp: 'away', name: 'Away' }]),
      stock: () => shop.erp.post('/stocks/batch-update', [{ product_id_erp: STOCKED[0], quantity: 1 }]),
    }
    const cases: [down: string, affected: string[]][] = [
      ['catalog', ['catalog', 'stock']],
      ['stock', ['stock']],
      ['nats', ['catalog', 'stock']],
      ...DATABASE_NAMES.map((name): [string, string[]] => [name, ['catalog', 'stock']]),
    ]
    for (const [name, asked] of cases)
      itWith(name)(`${name}: 503 with Retry-After within 1 s, and back within 5 s of its return`, async () => {
        const check = async () => {
          // each service notices by itself
          for (const endpoint of asked)
            await waitFor(
              () => requests[endpoint]?.() ?? Promise.reject(new Error(name)),
              (answer) => answer.status === 503,
              60_000,
              20,
            )
          for (let turn = 0; turn < 3; turn++) {
            for (const endpoint of asked) {
              const answer = await answerAtOnce(requests[endpoint] as () => ReturnType<ApiClient['send']>)
              expect([endpoint, answer.status, answer.body]).toEqual([
                endpoint,
                503,
                { message: 'Service temporarily unavailable.' },
              ])
              expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
            }
          }
        }
        const isServed = asked.map((endpoint) => async () => (await requests[endpoint]?.())?.status === 200)
        await expectRecovery(shop.product, name, check, isServed)
      })
  })

  describe('secrets (promises.md#promise-7)', () => {
    const secrets = () => {
      const passwords = [shop.product.databaseUrl(), shop.product.busUrl()].map((url) => new URL(url ?? '').password)
      return [shop.erpToken, b2bToken, SUPPLIER_SECRET, shop.product.adminToken, ...passwords]
    }

    it('are in no log', () => {
      const logs = readLogs(shop.product)
      expect(logs.size).toBeGreaterThanOrEqual(7)
      for (const [name, text] of logs)
        for (const secret of secrets()) expect([name, text.includes(secret)]).toEqual([name, false])
    })

    itWith(database[0] ?? 'mongod')('are in the database as hashes or encrypted, never in clear', async () => {
      const url = shop.product.databaseUrl()
      if (url === undefined) throw new Error('the database does not run as a process of this machine')
      const documents = await withDatabase(url, async (client) => {
        const found: string[] = []
        for (const { name } of (await client.db().admin().listDatabases()).databases) {
          for (const collection of await client.db(name).collections()) {
            if (['products', 'supplies', 'local'].includes(collection.collectionName)) continue
            for await (const document of collection.find({})) found.push(JSON.stringify(document))
          }
        }
        return found
      })
      const all = documents.join('\n')
      expect(all).toContain(shop.erpToken.slice(-4))
      for (const secret of secrets()) {
        for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
          expect(all.includes(form)).toBe(false)
      }
    })
  })
})
