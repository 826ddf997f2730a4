import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { BegunEntry } from '@partsbus/contracts/administration/audit'
import type { AuditRequest } from '@partsbus/contracts/administration/settings'
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
  db = client.db('spec_administration_audit_store')
  await db.dropDatabase()
  audit = new AuditStore(db)
  await audit.onModuleInit()
})
beforeEach(() => db.collection('audit').deleteMany({}))
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

const page = (number: number, rows: number) => audit.list({ page: number, per_page: rows })

type Entry = Partial<BegunEntry & { actor: string; actorId: number; requestId: string }>

const begin = ({ actor = 'admin', actorId, requestId = 'request-1', ...entry }: Entry = {}) =>
  audit.begin({
    caller: { administrator: { id: actorId ?? null, name: actor }, request_id: requestId, address: '192.0.2.7' },
    action: 'thing.create',
    entity: 'thing',
    entity_id: null,
    details: {},
    ...entry,
  })

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
      await audit.complete(await begin(), { number })
    }
    const pages = await Promise.all([page(1, 3), page(2, 3), page(3, 3), page(4, 3)])
    expect(pages.map(({ data }) => data.map((entry) => entry.details.number))).toEqual([[7, 6, 5], [4, 3, 2], [1], []])
    expect(pages[1]).toMatchObject({ total: 7, page: 2, per_page: 3 })
    expect(pages[0]?.data[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: 'admin',
      actor_id: null,
      action: 'thing.create',
      entity: 'thing',
      entity_id: null,
      request_id: 'request-1',
      address: '192.0.2.7',
      details: { number: 7 },
    })
  })
  it('marks a change with an unknown outcome', async () => {
    await begin({ details: { name: 'x' } })
    expect((await page(1, 1)).data[0]?.details).toEqual({ name: 'x', outcome: 'unknown' })
  })
  it('omits deleted entries', async () => {
    await audit.delete(await begin())
    expect(await page(1, 1)).toMatchObject({ data: [], total: 0 })
  })
  it('keeps names with dots and dollars as they are', async () => {
    const details = { 'price-lists.import.max_file_size': 5, headers: { 'a.b': '***', $where: '***' }, text: '$secret' }
    await audit.complete(await begin({ action: 'settings.patch', details }), details)
    expect((await page(1, 1)).data[0]?.details).toEqual(details)
  })
  it('has an index for its order and for each filter', async () => {
    const indexes = await db.collection('audit').indexes()
    expect(indexes).toContainEqual(expect.objectContaining({ name: 'newest_first', key: { at: -1, _id: -1 } }))
    expect(indexes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['by_actor', 'by_action', 'by_entity', 'by_request']),
    )
  })
  it('shows entries of earlier releases', async () => {
    await writeOld(1, 1)
    expect((await page(1, 1)).data[0]).toMatchObject({
      actor_id: null,
      entity: null,
      entity_id: null,
      request_id: null,
      address: null,
    })
  })
})

describe('the filters of entries (admin.md#audit)', () => {
  const actions = async (filter: Partial<AuditRequest>): Promise<string[]> =>
    (await audit.list({ page: 1, per_page: 50, ...filter })).data.map((entry) => entry.action).toSorted()

  beforeEach(async () => {
    const entries = [
      { actor: 'anna', actorId: 1, action: 'price-list.patch', entity: 'price-list', entity_id: 7 },
      {
        actor: 'anna',
        actorId: 1,
        action: 'price-list.rollback',
        entity: 'price-list',
        entity_id: 8,
        requestId: 'request-2',
      },
      { actor: 'pavel', actorId: 2, action: 'price-list-source.run', entity: 'price-list', entity_id: 7 },
      { actor: 'pavel', actorId: 2, action: 'session.close', entity: 'session', entity_id: 'a-b' },
    ]
    for (const entry of entries) await audit.complete(await begin(entry), {})
  })

  it.each<[Partial<AuditRequest>, string[]]>([
    [{ actor: 'anna' }, ['price-list.patch', 'price-list.rollback']],
    [{ action: 'price-list.' }, ['price-list.patch', 'price-list.rollback']],
    [{ action: 'price-list.patch' }, ['price-list.patch']],
    [{ action: '.*' }, []],
    [{ entity: 'price-list', entity_id: '7' }, ['price-list-source.run', 'price-list.patch']],
    [{ entity_id: 'a-b' }, ['session.close']],
    [{ actor: 'anna', entity_id: '8' }, ['price-list.rollback']],
    [{ request_id: 'request-2' }, ['price-list.rollback']],
    [{ request_id: 'request' }, []],
    [{ from: '2099-01-01' }, []],
    [{ to: '2001-01-01T00:00:00Z' }, []],
  ])('%j', async (filter, expected) => {
    expect(await actions(filter)).toEqual(expected)
    expect((await audit.list({ page: 1, per_page: 1, ...filter })).total).toBe(expected.length)
  })

  it('include an instant in `from` and exclude it in `to`', async () => {
    const at = (await page(1, 1)).data[0]?.at ?? ''
    const entry = async (filter: Partial<AuditRequest>) =>
      (await audit.list({ page: 1, per_page: 50, ...filter })).data.filter((one) => one.at === at).length
    expect([await entry({ from: at }), await entry({ to: at })]).toEqual([expect.any(Number), 0])
    expect(await entry({ from: at })).toBeGreaterThan(0)
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
  it('deletes any number of entries, by several processes at once', async () => {
    await writeOld(2_300, 40)
    await writeOld(1, 1)
    await Promise.all([audit.deleteOlderThan(30), audit.deleteOlderThan(30), audit.deleteOlderThan(30)])
    expect(await page(1, 10)).toMatchObject({ total: 1 })
  })
  it('follows the clock of the database, not that of the process', async () => {
    await audit.complete(await begin(), {})
    jest.useFakeTimers({ now: Date.parse('2099-01-01T00:00:00Z'), doNotFake: [...timersExceptDate] })
    try {
      expect(await audit.deleteOlderThan(365)).toBe(0)
      await begin({ action: 'thing.patch' })
    } finally {
      jest.useRealTimers()
    }
    for (const { at } of (await page(1, 10)).data) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
  })
})
