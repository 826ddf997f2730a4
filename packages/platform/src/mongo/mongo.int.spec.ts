import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { MongoBulkWriteError, MongoServerError } from 'mongodb'
import { CounterStore } from './counter-store.js'
import { toAppError } from './to-app-error.js'
import { LeaseStore } from './lease-store.js'
import { createLog } from '../process/log.js'
import { type Mongo, openMongo } from './connection.js'
import { collectDuplicates, isDuplicateKey, retryConflicts, violatedIndex } from './errors.js'
import { ensureIndexes } from './indexes.js'
import { OutboxStore } from './outbox-store.js'

const log = createLog('test', 'silent')
const open = (url: string): Mongo =>
  openMongo({ url, database: `test_platform_${process.pid}`, poolSize: 20, appName: 'test', log })

let mongo: Mongo
beforeAll(async () => {
  mongo = open(testMongodbUrl())
  await mongo.client.connect()
})
afterAll(async () => {
  await mongo.db.dropDatabase()
  await mongo.close()
})

interface Row {
  _id: string
  slug: string
}

describe('indexes and duplicates', () => {
  it('are made by many replicas at once', async () => {
    const rows = mongo.db.collection<Row>('rows')
    const plan = [{ name: 'slug_unique', key: { slug: 1 } as const, options: { unique: true } }]
    await Promise.all(Array.from({ length: 8 }, () => ensureIndexes(rows, plan)))
    expect((await rows.listIndexes().toArray()).map((index) => String(index.name)).sort()).toEqual([
      '_id_',
      'slug_unique',
    ])
  })

  it('name the refused documents and the index, and keep the others', async () => {
    const rows = mongo.db.collection<Row>('rows')
    await rows.insertOne({ _id: '1', slug: 'a' })
    const refused = await collectDuplicates(() =>
      rows.insertMany(
        [
          { _id: '2', slug: 'b' },
          { _id: '3', slug: 'a' },
          { _id: '1', slug: 'q' },
          { _id: '4', slug: 'd' },
        ],
        { ordered: false },
      ),
    )
    expect(refused).toEqual([
      { position: 1, index: 'slug_unique' },
      { position: 2, index: '_id_' },
    ])
    expect(await rows.countDocuments()).toBe(3)
  })

  it('read the index from the text of either server', () => {
    expect(
      violatedIndex('E11000 duplicate key error collection: db.rows index: slug_unique dup key: { slug: "a" }'),
    ).toBe('slug_unique')
    expect(violatedIndex("Duplicate key violation on the requested collection: Index '_id_'")).toBe('_id_')
  })

  it('pass on failures that are not duplicates', async () => {
    await expect(collectDuplicates(() => Promise.reject(new Error('other')))).rejects.toThrow('other')
  })
})

describe('retryConflicts', () => {
  const conflict = (): MongoServerError => new MongoServerError({ message: 'deadlock', code: 16_908_292 })

  it('repeats a write that lost against another', async () => {
    let calls = 0
    expect(
      await retryConflicts(async () => {
        if (++calls < 3) throw conflict()
        return 'done'
      }),
    ).toBe('done')
    expect(calls).toBe(3)
  })

  it('gives up after its attempts, and at once for anything else', async () => {
    let calls = 0
    await expect(
      retryConflicts(async () => {
        calls += 1
        throw conflict()
      }, 2),
    ).rejects.toThrow('deadlock')
    expect(calls).toBe(2)
    await expect(
      retryConflicts(async () => {
        calls += 1
        throw new Error('other')
      }),
    ).rejects.toThrow('other')
    expect(calls).toBe(3)
  })
})

describe('CounterStore', () => {
  it('gives 8 writers × 100 blocks numbers of which none comes twice', async () => {
    const counters = new CounterStore(mongo.db.collection('counters'))
    const taken = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const mine: number[] = []
        for (let round = 0; round < 100; round += 1) {
          const first = await counters.take('things', 3)
          mine.push(first, first + 1, first + 2)
        }
        return mine
      }),
    )
    const all = taken.flat()
    expect(new Set(all).size).toBe(2_400)
    expect(Math.min(...all)).toBe(1)
    expect(Math.max(...all)).toBe(2_400)
  })
})

describe('LeaseStore', () => {
  it('lets one holder in at a time', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    let inside = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 8 }, () =>
        leases.withLease('one', { leaseMs: 10_000, waitMs: 20_000 }, async () => {
          most = Math.max(most, ++inside)
          await mongo.ping()
          inside -= 1
        }),
      ),
    )
    expect(most).toBe(1)
  })

  it('passes to the next when a holder vanished and its time ran out', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    let free: () => void = () => undefined
    let frozen = Promise.resolve()
    await new Promise<void>((holding) => {
      frozen = leases.withLease(
        'two',
        { leaseMs: 300, waitMs: 5_000 },
        () =>
          new Promise<void>((done) => {
            free = done
            holding()
          }),
      )
    })
    const next = await leases.withLease('two', { leaseMs: 300, waitMs: 5_000 }, async () => 'next')
    expect(next).toBe('next')
    free()
    await frozen
  })

  it('that is renewed is held for as long as the work takes', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    await leases.withLease('four', { leaseMs: 600, waitMs: 1_000, isRenewed: true }, async () => {
      // three times the lease
      await expect(leases.withLease('four', { leaseMs: 600, waitMs: 1_800 }, async () => 'no')).rejects.toMatchObject({
        code: 'OVERLOADED',
      })
    })
    expect(await leases.withLease('four', { leaseMs: 600, waitMs: 0 }, async () => 'free again')).toBe('free again')
  })

  it('tells the caller to come again when others hold it too long', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    await leases.withLease('three', { leaseMs: 10_000, waitMs: 1_000 }, async () => {
      await expect(leases.withLease('three', { leaseMs: 1_000, waitMs: 100 }, async () => 'no')).rejects.toMatchObject({
        code: 'OVERLOADED',
      })
    })
  })
})

describe('OutboxStore', () => {
  it('keeps a note until it was published', async () => {
    const outbox = new OutboxStore(mongo.db.collection('outbox'))
    await outbox.note('b1', 'things', { ids: [1] })
    await outbox.note('b2', 'things', { ids: [2] })
    outbox.published('b1')
    await outbox.flush()
    expect((await outbox.due(-1_000)).map((note) => [note._id, note.kind, note.payload])).toEqual([
      ['b2', 'things', '{"ids":[2]}'],
    ])
    expect(await outbox.due(60_000)).toEqual([])
  })
})

describe('a database that is away', () => {
  it('is known by its errors', async () => {
    const nowhere = open('mongodb://127.0.0.1:1/')
    expect(nowhere.away()?.code).toBe('UNAVAILABLE')
    const error: unknown = await nowhere.db
      .collection('rows')
      .findOne()
      .catch((thrown: unknown) => thrown)
    expect(toAppError(error).code).toBe('UNAVAILABLE')
    expect(await nowhere.ping()).toBe(false)
    await nowhere.close()
  })

  it('is told from our own mistakes', async () => {
    expect(toAppError(new MongoServerError({ message: 'PostgreSQL is away', code: 1 })).code).toBe('UNAVAILABLE')
    expect(toAppError(new MongoServerError({ message: 'bad operator', code: 2 })).code).toBe('INTERNAL')
    expect(toAppError(new TypeError('x'))).toMatchObject({ code: 'INTERNAL', message: 'Internal server error.' })
    expect(isDuplicateKey(new MongoBulkWriteError({ message: 'x', code: 11_000, writeErrors: [] }, {} as never))).toBe(
      true,
    )
  })
})
