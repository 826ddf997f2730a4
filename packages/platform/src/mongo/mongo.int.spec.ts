import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { AppError } from '@partsbus/contracts/app-error'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb'
import { toAppError } from './to-app-error.js'
import { LeaseStore } from './lease-store.js'
import { createLog } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'
import { type Mongo, openMongo } from './connection.js'
import { compareAndSet } from './compare-and-set.js'
import { collectDuplicates, isDuplicateKey, retryConflicts, violatedIndex } from './errors.js'
import { deleteRevised } from './delete-revised.js'
import { matchRevisions } from './match-revisions.js'
import { measureOutbox } from './outbox-metrics.js'
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

describe('compareAndSet', () => {
  interface Versioned {
    _id: string
    rev: number
    text?: string
    other?: number
  }
  const update = (_id: string, rev: number, text: string) => ({
    updateOne: { filter: { _id }, update: compareAndSet('rev', rev, { rev: rev + 1, text }) },
  })

  it('changes the documents that have the revision, leaves the others, and counts them as not matched', async () => {
    const rows = mongo.db.collection<Versioned>('versioned')
    await rows.insertMany([
      { _id: 'a', rev: 1, other: 7 },
      { _id: 'b', rev: 2 },
    ])
    let matched = 0
    const refused = await collectDuplicates(async () => {
      const written = await rows.bulkWrite([update('a', 1, '$rev'), update('b', 1, 'late'), update('c', 1, 'none')], {
        ordered: false,
      })
      matched = written.matchedCount
    })
    expect(refused).toEqual([])
    expect(matched).toBe(0)
    expect(await rows.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', rev: 2, text: '$rev', other: 7 },
      { _id: 'b', rev: 2 },
    ])
  })

  it('lets one of many concurrent writers of a revision through, and loses no other field', async () => {
    const rows = mongo.db.collection<Versioned>('contended')
    await rows.insertOne({ _id: 'a', rev: 0, other: 0 })
    let wins = 0
    const compete = async (writer: number): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) {
        const { rev } = (await rows.findOne({ _id: 'a' })) ?? { rev: -1 }
        await collectDuplicates(async () => {
          const written = await rows.bulkWrite([update('a', rev, `${writer}`)], { ordered: false })
          wins += written.matchedCount
        })
        await rows.updateOne({ _id: 'a' }, { $inc: { other: 1 } })
      }
    }
    await Promise.all([1, 2, 3, 4].map(compete))
    const stored = await rows.findOne({ _id: 'a' })
    expect(stored?.rev).toBe(wins)
    expect(stored?.other).toBe(40)
  })
})

describe('collectDuplicates', () => {
  it('returns the refused documents with their index and stores the others', async () => {
    const rows = mongo.db.collection<Row>('rows')
    await rows.createIndex({ slug: 1 }, { name: 'slug_unique', unique: true })
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

  it('reads the index from the error text of MongoDB and of FerretDB', () => {
    expect(
      violatedIndex('E11000 duplicate key error collection: db.rows index: slug_unique dup key: { slug: "a" }'),
    ).toBe('slug_unique')
    expect(violatedIndex("Duplicate key violation on the requested collection: Index '_id_'")).toBe('_id_')
  })

  it('throws failures that are not duplicates', async () => {
    await expect(collectDuplicates(() => Promise.reject(new Error('other')))).rejects.toThrow('other')
  })
})

describe('retryConflicts', () => {
  const conflict = (): MongoServerError => new MongoServerError({ message: 'deadlock', code: 16_908_292 })

  it('repeats a conflicting write', async () => {
    let calls = 0
    expect(
      await retryConflicts(async () => {
        if (++calls < 3) throw conflict()
        return 'done'
      }),
    ).toBe('done')
    expect(calls).toBe(3)
  })

  it('throws after the last attempt, and at once for other errors', async () => {
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

describe('LeaseStore', () => {
  it('has one holder at a time', async () => {
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

  it('passes to the next holder when it expires, and aborts the work of the previous one', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    let frozen = Promise.resolve(false)
    await new Promise<void>((holding) => {
      frozen = leases.withLease('two', { leaseMs: 300, waitMs: 5_000 }, async (signal) => {
        holding()
        await new Promise((lost) => signal.addEventListener('abort', lost))
        return signal.aborted
      })
    })
    const next = await leases.withLease('two', { leaseMs: 300, waitMs: 5_000 }, async () => 'next')
    expect(next).toBe('next')
    expect(await frozen).toBe(true)
  })

  it('is held for as long as the work takes when it is renewed', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    await leases.withLease('four', { leaseMs: 600, waitMs: 1_000, isRenewed: true }, async () => {
      // three times the lease
      await expect(leases.withLease('four', { leaseMs: 600, waitMs: 1_800 }, async () => 'no')).rejects.toMatchObject({
        code: 'OVERLOADED',
      })
    })
    expect(await leases.withLease('four', { leaseMs: 600, waitMs: 0 }, async () => 'free again')).toBe('free again')
  })

  it('throws OVERLOADED when another holder keeps it for too long', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    await leases.withLease('three', { leaseMs: 10_000, waitMs: 1_000 }, async () => {
      await expect(leases.withLease('three', { leaseMs: 1_000, waitMs: 100 }, async () => 'no')).rejects.toMatchObject({
        code: 'OVERLOADED',
      })
    })
  })
})

describe('LeaseStore: a lost lease', () => {
  it('aborts the work when another holder has it', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    const outcome = await leases.withLease('five', { leaseMs: 300, waitMs: 1_000, isRenewed: true }, async (signal) => {
      await mongo.db.collection<Row>('leases').updateOne({ _id: 'five' }, { $set: { owner: 'another' } })
      await new Promise((lost) => signal.addEventListener('abort', lost))
      return signal.reason as AppError
    })
    expect(outcome).toMatchObject({ code: 'OVERLOADED' })
    expect(await mongo.db.collection<Row>('leases').findOne({ _id: 'five' })).toMatchObject({ owner: 'another' })
  })

  /** A store whose renewals fail as they do when the process is cut off from the database. */
  const openUnrenewable = () => {
    const collection: ConstructorParameters<typeof LeaseStore>[0] = mongo.db.collection('leases')
    const update = jest.spyOn(collection, 'updateOne')
    return { leases: new LeaseStore(collection), update, cutOff: new MongoNetworkError('cut off') }
  }

  it('aborts the work when it could not be renewed for its duration', async () => {
    const { leases, update, cutOff } = openUnrenewable()
    update.mockRejectedValue(cutOff)
    const reason = await leases.withLease('eight', { leaseMs: 300, waitMs: 1_000, isRenewed: true }, (signal) =>
      waitFor(async () => signal.reason as unknown, Boolean, 10_000, 20),
    )
    expect(update.mock.calls.length).toBeGreaterThan(1)
    expect(reason).toMatchObject({ code: 'OVERLOADED' })
  })

  it('goes on after an outage that is shorter than the lease', async () => {
    const { leases, update, cutOff } = openUnrenewable()
    update.mockRejectedValueOnce(cutOff)
    await leases.withLease('nine', { leaseMs: 3_000, waitMs: 1_000, isRenewed: true }, async (signal) => {
      const begun = performance.now()
      await waitFor(
        async () => performance.now() - begun,
        (ms) => ms > 3_500,
        20_000,
        50,
      )
      expect(update.mock.calls.length).toBeGreaterThan(2)
      expect(signal.aborted).toBe(false)
    })
  })

  it('has no owner after its release, so that a late renewal cannot revive it', async () => {
    const leases = new LeaseStore(mongo.db.collection('leases'))
    await leases.withLease('six', { leaseMs: 10_000, waitMs: 1_000 }, async () => undefined)
    expect(await mongo.db.collection<Row>('leases').findOne({ _id: 'six' })).toMatchObject({ owner: '' })
  })

  it('keeps the outcome of the work when the release fails', async () => {
    const own = open(testMongodbUrl())
    const leases = new LeaseStore(own.db.collection('leases'))
    const work = async (): Promise<string> => {
      await own.close()
      jest.spyOn(own.client, 'connect').mockRejectedValue(new Error('closed'))
      return 'done'
    }
    expect(await leases.withLease('seven', { leaseMs: 1_000, waitMs: 1_000 }, work)).toBe('done')
  })
})

describe('OutboxStore', () => {
  const openOutbox = async (name: string): Promise<OutboxStore> => {
    const outbox = new OutboxStore(mongo.db.collection(name))
    await outbox.ensureIndexes()
    return outbox
  }

  it('keeps an entry until it was published', async () => {
    const outbox = await openOutbox('outbox')
    await outbox.add('b1', 'things', { ids: [1] })
    await outbox.add('b2', 'things', { ids: [2] })
    outbox.markPublished('b1')
    await outbox.flush()
    expect((await outbox.overdue(-1_000)).map((entry) => [entry._id, entry.kind, entry.payload])).toEqual([
      ['b2', 'things', '{"ids":[2]}'],
    ])
    expect(await outbox.overdue(60_000)).toEqual([])
  })

  it('waits for the majority by a change of the entry, which stays as old as it is', async () => {
    const outbox = await openOutbox('outbox_majority')
    await outbox.add('b1', 'things', {})
    const [added] = await outbox.overdue(-1_000)
    expect(await outbox.awaitMajority('b1')).toBe(true)
    expect(await outbox.awaitMajority('b1')).toBe(true)
    const [checked] = await outbox.overdue(-1_000)
    expect(checked).toEqual({ ...added, checks: 2, ageMs: expect.any(Number) })
    expect(await outbox.awaitMajority('gone')).toBe(false)
  })

  it('shows the age of its oldest entry as a metric, and none while the database is away', async () => {
    const outbox = await openOutbox('outbox_age')
    const metrics = createMetrics('test')
    let read = () => outbox.oldestAgeMs()
    measureOutbox(metrics, { oldestAgeMs: () => read() })
    const age = async () =>
      /^outbox_oldest_entry_age_seconds\{service="test"\} (.+)$/m.exec(await metrics.registry.metrics())?.[1]
    expect(await age()).toBe('0')
    await outbox.add('b1', 'things', {})
    await mongo.db.collection('outbox_age').updateOne({}, [{ $set: { at: { $add: ['$at', -90_000] } } }])
    expect(Number(await age())).toBeGreaterThanOrEqual(90)
    read = () => Promise.reject(new Error('away'))
    expect(await age()).toBeUndefined()
    // frozen: it answers nothing, not even an error
    read = () => new Promise(() => undefined)
    expect(await age()).toBeUndefined()
  })

  it('measures the age of an entry by the clock of the database, not of the process', async () => {
    const outbox = await openOutbox('outbox_clock')
    const wrong = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    try {
      await outbox.add('b1', 'things', {})
      expect(await outbox.overdue(60_000)).toEqual([])
      const [entry] = await outbox.overdue(-1_000)
      expect(Math.abs(entry?.ageMs ?? Infinity)).toBeLessThan(30_000)
    } finally {
      wrong.mockRestore()
    }
  })

  it('finds overdue entries by an index', async () => {
    await openOutbox('outbox_index')
    const indexes = await mongo.db.collection('outbox_index').listIndexes().toArray()
    expect(indexes.map(({ key }) => key as object)).toContainEqual({ at: 1, _id: 1 })
  })

  it('publishes the other entries when one cannot be published', async () => {
    const outbox = await openOutbox('outbox_relay')
    for (const id of ['bad', 'good', 'early', 'better']) await outbox.add(id, 'things', {})
    const failed: string[] = []
    await outbox.relay({
      olderThanMs: -1_000,
      failed: (_error, { _id }) => failed.push(_id),
      publish: async ({ _id }) => {
        if (_id === 'bad') throw new Error('too large')
        return _id !== 'early'
      },
    })
    expect(failed).toEqual(['bad'])
    expect((await outbox.overdue(-1_000)).map(({ _id }) => _id)).toEqual(['bad', 'early'])
  })

  it('stops a pass when the stream is down, and continues behind the failed entries', async () => {
    const outbox = await openOutbox('outbox_resume')
    const ids = Array.from({ length: 8 }, (_, at) => `b${at}`)
    for (const id of ids) await outbox.add(id, 'things', {})
    const tried: string[] = []
    const pass = () =>
      outbox.relay({
        olderThanMs: -1_000,
        failed: () => undefined,
        publish: ({ _id }) => Promise.reject(new Error(`down: ${tried.push(_id)}`)),
      })
    await pass()
    expect(tried).toEqual(ids.slice(0, 5))
    await pass()
    expect(tried).toEqual(ids)
  })
})

describe('openMongo', () => {
  it('reads what the majority has, so that an acknowledged batch cannot be rolled back', () => {
    expect(mongo.db.collection('rows').readConcern?.level).toBe('majority')
    expect(mongo.db.collection('rows').writeConcern).toMatchObject({
      w: 'majority',
      journal: true,
      wtimeoutMS: 10_000,
    })
  })

  it.each([
    ['mongodb://127.0.0.1:1/', 800],
    ['mongodb://127.0.0.1:1/?directConnection=true', 800],
    ['mongodb://127.0.0.1:1/?replicaSet=rs0', 2_500],
    ['mongodb://127.0.0.1:1,127.0.0.1:2/', 2_500],
    ['mongodb+srv://example.test/', 2_500],
  ])('%s: waits %i ms for a server that takes writes', async (url, ms) => {
    const lazy = open(url)
    expect(lazy.client.options.serverSelectionTimeoutMS).toBe(ms)
    await lazy.close()
  })

  it('does not let a request wait for ever for a connection of the pool', () => {
    expect(mongo.client.options.waitQueueTimeoutMS).toBe(10_000)
  })
})

describe('a database that is down', () => {
  it('is recognized by its errors', async () => {
    const nowhere = open('mongodb://127.0.0.1:1/')
    expect(nowhere.unavailable()?.code).toBe('UNAVAILABLE')
    const error: unknown = await nowhere.db
      .collection('rows')
      .findOne()
      .catch((thrown: unknown) => thrown)
    expect(toAppError(error).code).toBe('UNAVAILABLE')
    expect(await nowhere.ping()).toBe(false)
    await nowhere.close()
  })

  it('is distinguished from defects of the code', async () => {
    const { topologyVersion } = await mongo.db.command({ hello: 1 })
    const internal = toAppError(new MongoServerError({ message: 'PostgreSQL is away', code: 1 })).code
    // what FerretDB says while it is away; MongoDB has a topology version
    expect(internal).toBe(topologyVersion === undefined ? 'UNAVAILABLE' : 'INTERNAL')
    expect(toAppError(new MongoServerError({ message: 'bad operator', code: 2 })).code).toBe('INTERNAL')
    expect(toAppError(new TypeError('x'))).toMatchObject({ code: 'INTERNAL', message: 'Internal server error.' })
    expect(isDuplicateKey(new MongoBulkWriteError({ message: 'x', code: 11_000, writeErrors: [] }, {} as never))).toBe(
      true,
    )
  })
})

it('a document without a revision has the revision 0', async () => {
  const documents = mongo.db.collection<{ _id: string; revision?: number }>('revised')
  await documents.insertMany([{ _id: 'old' }, { _id: 'zero', revision: 0 }, { _id: 'two', revision: 2 }])
  const matched = async (accepted?: number[]) =>
    (await documents.find(matchRevisions(accepted)).sort({ _id: 1 }).toArray()).map(({ _id }) => _id)
  expect(await matched([0])).toEqual(['old', 'zero'])
  expect(await matched([1])).toEqual([])
  expect(await matched([0, 2])).toEqual(['old', 'two', 'zero'])
  expect(await matched([])).toEqual([])
  expect(await matched()).toEqual(['old', 'two', 'zero'])
})

it('a document is deleted, whatever others change meanwhile', async () => {
  const documents = mongo.db.collection<{ _id: number; revision: number }>('deleted')
  for (let id = 0; id < 40; id += 1) {
    await documents.insertOne({ _id: id, revision: 1 })
    const changes = [1, 2, 3].map(() => documents.updateOne({ _id: id }, { $inc: { revision: 1 } }))
    const [isDeleted] = await Promise.all([deleteRevised(documents, id, undefined), ...changes])
    expect([id, isDeleted]).toEqual([id, true])
  }
  await documents.insertOne({ _id: 100, revision: 2 })
  expect(await deleteRevised(documents, 100, [1])).toBe(false)
  expect(await deleteRevised(documents, 100, [2])).toBe(true)
  expect(await deleteRevised(documents, 100, undefined)).toBe(false)
})
