import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type Db, MongoClient } from 'mongodb'
import { createLog } from '../process/log.js'
import { quantile } from './duration-histogram.js'
import { StatisticsStore, sumTallies } from './statistics-store.js'

const HOUR_MS = 3_600_000
const client = new MongoClient(testMongodbUrl())
const db: Db = client.db(`test_statistics_${randomUUID().slice(0, 8)}`)
const open = () => new StatisticsStore<'ok' | 'failed'>(db, 'statistics', createLog('test', 'silent'))

beforeEach(async () => {
  await db.collection('statistics').deleteMany({})
})
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

describe('statistics (admin.md#statistics)', () => {
  it('add up the counts of all processes in one document for each subject and five minutes', async () => {
    const stores = Array.from({ length: 4 }, open)
    for (const store of stores) {
      await store.ensureIndexes()
      for (let time = 0; time < 10; time += 1) store.count('7', ['ok'], 20)
      store.count('8', ['failed'])
    }
    // at the same moment, so that the processes race for the new documents
    await Promise.all(stores.map((store) => store.flush()))
    const tallies = sumTallies(await open().readLatest(HOUR_MS), HOUR_MS * 1_000)
    expect(tallies.map(({ subject, counts }) => [subject, counts])).toEqual(
      expect.arrayContaining([
        ['7', { ok: 40 }],
        ['8', { failed: 4 }],
      ]),
    )
    expect(quantile(tallies.find(({ subject }) => subject === '7')?.ms ?? {}, 0.5)).toBeLessThanOrEqual(20)
    expect(await db.collection('statistics').countDocuments()).toBeLessThanOrEqual(4)
  })

  it('count without a call to the database', async () => {
    let commands = 0
    const watched = new MongoClient(testMongodbUrl(), { monitorCommands: true })
    watched.on('commandStarted', () => {
      commands += 1
    })
    const store = new StatisticsStore(watched.db(db.databaseName), 'statistics', createLog('test', 'silent'))
    for (let time = 0; time < 1_000; time += 1) store.count('7', ['ok'], time)
    expect(commands).toBe(0)
    await store.stop()
    expect(commands).toBeGreaterThan(0)
    await watched.close()
    expect(sumTallies(await open().readLatest(HOUR_MS), HOUR_MS)[0]?.counts).toEqual({ ok: 1_000 })
  })

  it('keep what could not be written for the next time', async () => {
    const down = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 10 })
    const store = new StatisticsStore(down.db('none'), 'statistics', createLog('test', 'silent'))
    store.count('7', ['ok'])
    await expect(store.flush()).rejects.toThrow()
    store.count('7', ['ok'])
    Object.assign(store, { documents: db.collection('statistics'), clock: Reflect.get(open(), 'clock') })
    await store.flush()
    expect((await open().readLatest(HOUR_MS))[0]?.counts).toEqual({ ok: 2 })
    await down.close()
  })

  it('are deleted after 14 days', async () => {
    const at = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS)
    await db
      .collection<{ _id: string }>('statistics')
      .insertMany(
        [13.9, 14.1].map((days) => ({ _id: `7 ${days}`, subject: '7', at: at(days), counts: { ok: 1 }, ms: {} })),
      )
    await open().deleteOld()
    expect((await open().read({ from: at(20), to: at(0) })).map(({ at }) => at.getTime())).toEqual([
      expect.closeTo(at(13.9).getTime(), -4),
    ])
  })
})
