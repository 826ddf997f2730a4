import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createPickUpPoint,
  createStorage,
  deleteStorage,
  getStorage,
  listStorages,
  patchStorage,
  reserveStorageId,
  updateStocks,
} from '@partsbus/contracts/stock/commands'
import type { Supplier } from '@partsbus/contracts/stock/storage'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { SupplyEvents } from '../supplies/supply-events.js'
import { SupplyStore } from '../supplies/supply-store.js'
import { configured, startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'
import { StorageStore } from './storage-store.js'

let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
  stock.products.set('p-1', 1).set('p-2', 2)
})
afterAll(() => stock.stop())

const SECRET = 'Bearer s3cr3t-Of-The-Supplier'
const http = { kind: 'http', base_url: 'https://parts.example/api' } as const
const shown = { ...http, headers: {}, timeout_ms: 4_000, cache_seconds: 60, dialect: 'standard' }
const notFound = { code: 'NOT_FOUND', message: 'Not found.' }
const create = (supplier: unknown) => stock.ask(createStorage, { name: 'Supplier', supplier: supplier as Supplier })

/** The header values as they are stored, opened. */
async function openedHeaders(id: number): Promise<string[]> {
  const { supplier } = (await stock.get(StorageStore).get(id)) ?? {}
  return supplier?.kind === 'http'
    ? supplier.headers.map(({ name, sealed }) =>
        stock.get(SecretBox).open(sealed, `storage ${id} header ${name.toLowerCase()}`),
      )
    : []
}

describe('/storages', () => {
  it('creates an active storage of own stock by default', async () => {
    const storage = await stock.ask(createStorage, { name: 'Shelf' })
    expect(storage).toEqual({
      id: expect.any(Number),
      name: 'Shelf',
      is_active: true,
      supplier: { kind: 'own-stock' },
      revision: 1,
    })
    expect(await stock.ask(getStorage, { id: storage.id })).toEqual(storage)
  })

  it('creates a storage under an id that was reserved for it, once', async () => {
    const { id } = await stock.ask(reserveStorageId, {})
    await expect(stock.ask(getStorage, { id })).rejects.toMatchObject(notFound)
    expect((await stock.ask(createStorage, { name: 'Other' })).id).toBeGreaterThan(id)
    expect((await stock.ask(createStorage, { id, name: 'Reserved' })).id).toBe(id)
    await expect(stock.ask(createStorage, { id, name: 'Again' })).rejects.toThrow()
    expect((await stock.ask(getStorage, { id })).name).toBe('Reserved')
  })

  it('fills in the defaults of an http supplier', async () => {
    expect(await create(http)).toMatchObject({ supplier: shown })
  })

  it.each<[object, string, string]>([
    [{ timeout_ms: 0 }, 'timeout_ms', 'The timeout_ms must be at least 1.'],
    [{ timeout_ms: 10_001 }, 'timeout_ms', 'The timeout_ms must not be greater than 10000.'],
    [{ cache_seconds: 3_601 }, 'cache_seconds', 'The cache_seconds must not be greater than 3600.'],
    [{ dialect: 'klingon' }, 'dialect', 'The selected dialect is invalid. It must be standard, abcp or autoeuro.'],
    [{ base_url: 'ftp://parts.example' }, 'base_url', 'The base_url must be an http or https URL.'],
    [
      { base_url: 'https://me:word@parts.example' },
      'base_url',
      'The base_url must not contain a user name or password; send them as a header.',
    ],
    [{ headers: { 'X-Key': '***' } }, 'headers.X-Key', 'The header X-Key has no stored value to keep.'],
  ])('refuses %j', async (part, field, text) => {
    await expect(create({ ...http, ...part })).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: { errors: { [`supplier.${field}`]: [text] } },
    })
  })

  it('changes the fields sent and replaces the supplier as a whole', async () => {
    const { id } = await create({ ...http, timeout_ms: 100, cache_seconds: 0 })
    expect(await stock.ask(patchStorage, { id, patch: { is_active: false } })).toMatchObject({
      name: 'Supplier',
      is_active: false,
      supplier: { timeout_ms: 100, cache_seconds: 0 },
    })
    expect(await stock.ask(patchStorage, { id, patch: { name: 'Renamed', supplier: http } })).toEqual({
      id,
      name: 'Renamed',
      is_active: false,
      supplier: shown,
      revision: 3,
    })
    expect(await stock.ask(patchStorage, { id, patch: { supplier: { kind: 'price-list' } } })).toMatchObject({
      supplier: { kind: 'price-list' },
    })
  })

  it('shows header values as "***", and keeps the stored value when "***" is sent', async () => {
    const { id, supplier } = await create({ ...http, headers: { Authorization: SECRET, 'X-Other': 'other' } })
    expect(supplier).toMatchObject({ headers: { Authorization: '***', 'X-Other': '***' } })
    const patched = await stock.ask(patchStorage, {
      id,
      patch: { supplier: { ...http, headers: { Authorization: '***', 'X-Other': 'changed' } } },
    })
    expect(patched.supplier).toEqual(supplier)
    expect(await openedHeaders(id)).toEqual([SECRET, 'changed'])
    expect(
      JSON.stringify([await stock.ask(getStorage, { id }), await stock.ask(listStorages, { page: 1, per_page: 500 })]),
    ).not.toContain('s3cr3t')
    await expect(
      stock.ask(patchStorage, { id, patch: { supplier: { ...http, headers: { 'X-New': '***' } } } }),
    ).rejects.toMatchObject({
      details: { errors: { 'supplier.headers.X-New': ['The header X-New has no stored value to keep.'] } },
    })
    expect(await openedHeaders(id)).toEqual([SECRET, 'changed'])
  })

  it('stores no header value in clear', async () => {
    await create({ ...http, headers: { Authorization: SECRET } })
    const collections = await stock.db.listCollections().toArray()
    const dump = await Promise.all(collections.map(({ name }) => stock.db.collection(name).find().toArray()))
    expect(JSON.stringify(dump)).toContain('Authorization')
    expect(JSON.stringify(dump)).not.toMatch(/s3cr3t/)
  })

  it('returns pages by id with the total', async () => {
    const all = await stock.ask(listStorages, { page: 1, per_page: 500 })
    const second = await stock.ask(listStorages, { page: 2, per_page: 2 })
    expect(second).toEqual({ data: all.data.slice(2, 4), total: all.data.length, page: 2, per_page: 2 })
    const ids = all.data.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
  })

  it('returns NOT_FOUND for an unknown storage', async () => {
    await expect(stock.ask(getStorage, { id: 999_999 })).rejects.toMatchObject(notFound)
    await expect(stock.ask(patchStorage, { id: 999_999, patch: {} })).rejects.toMatchObject(notFound)
    await expect(stock.ask(deleteStorage, { id: 999_999 })).rejects.toMatchObject(notFound)
  })

  it('deletes a storage unless a point or a supply refers to it, which the error names', async () => {
    const free = await stock.ask(createStorage, { name: 'Free' })
    expect(await stock.ask(deleteStorage, { id: free.id })).toEqual({})
    await expect(stock.ask(getStorage, { id: free.id })).rejects.toMatchObject(notFound)

    const { id } = await stock.ask(createStorage, { name: 'Linked' })
    const point = await stock.ask(createPickUpPoint, { name: 'Main', storage_ids: [id] })
    const refusal = (by: string) => ({ code: 'CONFLICT', message: `Storage ${id} is used by ${by}.` })
    await expect(stock.ask(deleteStorage, { id })).rejects.toMatchObject(refusal(`pick-up point ${point.id} "Main"`))
    await stock.ask(createPickUpPoint, { name: 'Second', storage_ids: [id] })
    await expect(stock.ask(deleteStorage, { id })).rejects.toMatchObject(
      refusal(`pick-up point ${point.id} "Main" and 1 more`),
    )

    await stock.db.collection('pick_up_points').deleteMany({})
    await stock.send(
      updateStocks,
      ['p-1', 'p-2'].map((product_id_erp) => ({ product_id_erp, quantity: 1 })),
      { ...configured, erp_storage_id: id },
    )
    await expect(stock.ask(deleteStorage, { id })).rejects.toMatchObject(refusal('2 supplies'))
  })

  it('keeps a storage, visible all the time, while an announced batch has not written', async () => {
    const storage = await create({ ...http, headers: { Authorization: SECRET } })
    const location = { pick_up_point_id: 7, storage_id: storage.id }
    await stock.get(SupplyEvents).announce('slow', location, ['p-1'])
    const refused = expect(stock.ask(deleteStorage, { id: storage.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Storage ${storage.id} is used by a stock update in progress.`,
    })
    expect(await stock.ask(getStorage, { id: storage.id })).toEqual(storage)
    await refused

    const next = expect(stock.ask(deleteStorage, { id: storage.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Storage ${storage.id} is used by 1 supply.`,
    })
    await stock.get(SupplyStore).write(location, [{ product_id: 1, product_erp_id: 'p-1', quantity: 1 }])
    await stock.db.collection<{ _id: string }>('outbox').deleteOne({ _id: 'slow' })
    await next
    expect(await stock.ask(getStorage, { id: storage.id })).toEqual(storage)
    expect(await openedHeaders(storage.id)).toEqual([SECRET])
  })
})

describe('the log', () => {
  it('of a process at log level trace contains no header value', async () => {
    await stock.stopServices()
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/main.js')], {
      env: {
        ...process.env,
        MONGODB_URL: testMongodbUrl(),
        MONGODB_DATABASE: stock.db.databaseName,
        NATS_URL: stock.bus.url,
        MANAGEMENT_PORT: '0',
        LOG_LEVEL: 'trace',
        SECRETS_KEY: randomBytes(32).toString('hex'),
      },
    })
    let output = ''
    const ready = new Promise<void>((done, fail) => {
      child.once('exit', () => fail(new Error(output)))
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString()
          if (output.includes('"ready"')) done()
        })
      }
    })
    await ready
    const { id } = await create({ ...http, headers: { Authorization: SECRET } })
    await create({ ...http, headers: { Authorization: `${SECRET}\u0000` } }).catch(() => undefined)
    await create({ ...http, headers: { Authorization: SECRET, 'X-Key': '***' } }).catch(() => undefined)
    await stock.ask(patchStorage, { id, patch: { supplier: { ...http, headers: { Authorization: '***' } } } })
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(output).toContain('"service":"stock"')
    expect(output).not.toContain('s3cr3t')
  })
})
