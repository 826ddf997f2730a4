import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type Db, MongoClient } from 'mongodb'
import { AuditStore } from './audit-store.js'

const timersExceptDate = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const

let client: MongoClient
let db: Db
let audit: AuditStore

beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  db = client.db('spec_gateway_audit_store')
  await db.dropDatabase()
  audit = new AuditStore(db)
  await audit.ensureIndexes()
})
beforeEach(() => db.collection('audit').deleteMany({}))
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

const page = (number: number, rows: number) => audit.list({ page: number, per_page: rows })

/** Entries as they would be after so many days. */
async function writeOld(count: number, daysAgo: number): Promise<void> {
  const at = new Date(Date.now() - daysAgo * 24 * 3_600_000)
  await db
    .collection('audit')
    .insertMany(
      Array.from({ length: count }, () => ({ at, actor: 'admin', action: 'old', details: '{}', state: 'done' })),
    )
}

describe('the list of entries', () => {
  it('is newest first and paged, even within one millisecond', async () => {
    for (let number = 1; number <= 7; number += 1) {
      await audit.complete(await audit.begin({ actor: 'admin', action: 'thing.create', details: {} }), { number })
    }
    const pages = await Promise.all([page(1, 3), page(2, 3), page(3, 3), page(4, 3)])
    expect(pages.map(({ data }) => data.map((entry) => entry.details.number))).toEqual([[7, 6, 5], [4, 3, 2], [1], []])
    expect(pages[1]).toMatchObject({ total: 7, page: 2, per_page: 3 })
    expect(pages[0]?.data[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: 'admin',
      action: 'thing.create',
      details: { number: 7 },
    })
  })
  it('marks a change with an unknown outcome', async () => {
    await audit.begin({ actor: 'admin', action: 'thing.create', details: { name: 'x' } })
    expect((await page(1, 1)).data[0]?.details).toEqual({ name: 'x', outcome: 'unknown' })
  })
  it('omits deleted entries', async () => {
    await audit.delete(await audit.begin({ actor: 'admin', action: 'thing.create', details: {} }))
    expect(await page(1, 1)).toMatchObject({ data: [], total: 0 })
  })
  it('keeps names with dots and dollars as they are', async () => {
    const details = { 'price-lists.import.max_file_size': 5, headers: { 'a.b': '***', $where: '***' }, text: '$secret' }
    await audit.complete(await audit.begin({ actor: 'admin', action: 'settings.patch', details }), details)
    expect((await page(1, 1)).data[0]?.details).toEqual(details)
  })
  it('has an index for its order', async () => {
    const indexes = await db.collection('audit').indexes()
    expect(indexes).toContainEqual(expect.objectContaining({ name: 'newest_first', key: { at: -1, _id: -1 } }))
  })
})

describe('audit_retention_days', () => {
  it('deletes older entries only', async () => {
    await writeOld(2, 11)
    await writeOld(3, 9)
    expect(await audit.deleteOlderThan(10)).toBe(2)
    expect(await page(1, 10)).toMatchObject({ total: 3 })
  })
  it('applies to entries written before it was changed', async () => {
    await writeOld(4, 9)
    expect(await audit.deleteOlderThan(365)).toBe(0)
    expect(await audit.deleteOlderThan(5)).toBe(4)
  })
  it('deletes any number of entries, by several gateways at once', async () => {
    await writeOld(2_300, 40)
    await writeOld(1, 1)
    await Promise.all([audit.deleteOlderThan(30), audit.deleteOlderThan(30), audit.deleteOlderThan(30)])
    expect(await page(1, 10)).toMatchObject({ total: 1 })
  })
  it('follows the clock of the database, not that of the gateway', async () => {
    await audit.complete(await audit.begin({ actor: 'admin', action: 'thing.create', details: {} }), {})
    jest.useFakeTimers({ now: Date.parse('2099-01-01T00:00:00Z'), doNotFake: [...timersExceptDate] })
    try {
      expect(await audit.deleteOlderThan(365)).toBe(0)
      await audit.begin({ actor: 'admin', action: 'thing.patch', details: {} })
    } finally {
      jest.useRealTimers()
    }
    for (const { at } of (await page(1, 10)).data) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
  })
})
