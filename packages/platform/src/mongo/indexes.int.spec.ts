import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type ListIndexesCursor, MongoNetworkError, MongoServerError } from 'mongodb'
import { createLog, type Log } from '../process/log.js'
import { type Mongo, openMongo } from './connection.js'
import { ensureIndexes } from './indexes.js'

interface Row {
  _id: string
  slug: string
}

let mongo: Mongo
beforeAll(async () => {
  const log = createLog('test', 'silent')
  mongo = openMongo({
    url: testMongodbUrl(),
    database: `test_indexes_${process.pid}`,
    poolSize: 20,
    appName: 'test',
    log,
  })
  await mongo.client.connect()
})
afterAll(async () => {
  await mongo.db.dropDatabase()
  await mongo.close()
})

describe('ensureIndexes', () => {
  it('creates an index once when many replicas start together', async () => {
    const rows = mongo.db.collection<Row>('rows')
    const plan = [{ name: 'slug_unique', key: { slug: 1 } as const, options: { unique: true } }]
    await Promise.all(Array.from({ length: 8 }, () => ensureIndexes(rows, plan)))
    expect((await rows.listIndexes().toArray()).map((index) => String(index.name)).sort()).toEqual([
      '_id_',
      'slug_unique',
    ])
  })

  it('gives up when the process has closed its client: a service that stops leaves no timer', async () => {
    const log = createLog('test', 'silent')
    const stopping = openMongo({ url: testMongodbUrl(), database: 'unused', poolSize: 1, appName: 'test', log })
    await stopping.close()
    await expect(ensureIndexes(stopping.db.collection('rows'), [])).rejects.toThrow('connected')
  })
})

describe('ensureIndexes of a replica set', () => {
  const plan = [{ name: 'slug', key: { slug: 1 } as const }]

  it('does not wait for members that are down', async () => {
    const rows = mongo.db.collection<Row>('rows_of_a_set')
    jest.spyOn(rows.db, 'command').mockResolvedValueOnce({ ok: 1, setName: 'rs0' })
    const create = jest.spyOn(rows, 'createIndex').mockResolvedValue('slug')
    await ensureIndexes(rows, plan)
    expect(create.mock.calls).toEqual([[{ slug: 1 }, { name: 'slug', commitQuorum: 'majority' }]])
  })

  it('fails when the user may not list indexes', async () => {
    const rows = mongo.db.collection<Row>('rows_of_others')
    const unauthorized = new MongoServerError({ message: 'not authorized', code: 13 })
    const toArray = () => Promise.reject(unauthorized)
    jest.spyOn(rows, 'listIndexes').mockReturnValue({ toArray } as unknown as ListIndexesCursor)
    await expect(ensureIndexes(rows, plan)).rejects.toBe(unauthorized)
  })
})

describe('ensureIndexes of a database that is slow or away', () => {
  const plan = [{ name: 'slug', key: { slug: 1 } as const }]
  const recordLines = () => {
    const lines: unknown[] = []
    const record = ((...line: unknown[]) => void lines.push(line)) as unknown as Log['warn']
    return { lines, log: { info: record, warn: record } }
  }
  const listing = (...outcomes: Array<unknown[] | Error>) => {
    const rows = mongo.db.collection<Row>('rows_of_the_slow')
    const toArray = async () => {
      const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0]
      if (outcome instanceof Error) throw outcome
      return outcome
    }
    jest.spyOn(rows, 'listIndexes').mockReturnValue({ toArray } as unknown as ListIndexesCursor)
    return rows
  }

  it('says once why it waits', async () => {
    const { lines, log } = recordLines()
    const away = new MongoNetworkError('connection refused')
    await ensureIndexes(listing(away, away, [{ name: 'slug' }]), plan, [], log)
    expect(lines).toEqual([[{ reason: 'connection refused' }, 'waiting for the database']])
  })

  it('fails with an error that comes back after each outage, instead of repeating for ever', async () => {
    const away = new MongoNetworkError('connection refused')
    const refused = new MongoServerError({ message: 'index options conflict', code: 85 })
    const outcomes = Array.from({ length: 5 }, () => [away, refused]).flat()
    await expect(ensureIndexes(listing(...outcomes, [{ name: 'slug' }]), plan)).rejects.toBe(refused)
  })

  it('says which index it builds when that takes more than 5 s', async () => {
    const { lines, log } = recordLines()
    const rows = listing([])
    jest.spyOn(rows.db, 'command').mockResolvedValueOnce({ ok: 1 })
    let finish = (): void => undefined
    jest.spyOn(rows, 'createIndex').mockReturnValue(new Promise((done) => (finish = () => done('slug'))))
    jest.useFakeTimers()
    try {
      const built = ensureIndexes(rows, plan, [], log)
      await jest.advanceTimersByTimeAsync(4_900)
      expect(lines).toEqual([])
      await jest.advanceTimersByTimeAsync(200)
      expect(lines).toEqual([[{ collection: 'rows_of_the_slow', index: 'slug' }, 'building an index']])
      finish()
      await built
    } finally {
      jest.useRealTimers()
    }
  })
})

describe('ensureIndexes of a sharded database', () => {
  it('leaves an index that has the name and other options', async () => {
    const sharded = mongo.db.collection<Row>('sharded_rows')
    await sharded.createIndex({ slug: 1 }, { name: 'slug_unique' })
    await ensureIndexes(sharded, [{ name: 'slug_unique', key: { slug: 1 }, options: { unique: true } }])
    await sharded.insertMany([
      { _id: 'a', slug: 'same' },
      { _id: 'b', slug: 'same' },
    ])
    expect(await sharded.countDocuments({ slug: 'same' })).toBe(2)
  })
})
