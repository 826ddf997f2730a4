import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { createLog } from '../process/log.js'
import { type Mongo, openMongo } from './connection.js'
import { CounterStore, SKIPPED_IDS } from './counter-store.js'
import { listById, readById } from './read-by-id.js'

let mongo: Mongo
beforeAll(async () => {
  const database = `test_platform_ids_${process.pid}`
  const log = createLog('test', 'silent')
  mongo = openMongo({ url: testMongodbUrl(), database, poolSize: 20, appName: 'test', log })
  await mongo.client.connect()
})
afterAll(async () => {
  await mongo.db.dropDatabase()
  await mongo.close()
})

describe('CounterStore', () => {
  it('allocates unique numbers to 8 writers with 100 blocks each', async () => {
    const counters = new CounterStore(mongo.db.collection('counters'))
    const taken = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const mine: number[] = []
        for (let round = 0; round < 100; round += 1) {
          const first = await counters.allocate('things', 3)
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

  it('allocates no number that is stored already after the counter was raised', async () => {
    const counters = new CounterStore(mongo.db.collection('counters'))
    await counters.raiseAbove('restored', 41)
    expect(await counters.allocate('restored', 2)).toBe(42 + SKIPPED_IDS)
    await counters.raiseAbove('restored', 7)
    expect(await counters.last('restored')).toBe(43 + SKIPPED_IDS)
    await counters.raiseAbove('empty', 0)
    expect(await counters.last('empty')).toBe(0)
  })

  describe('when its document is lost or older than what is stored (rules.md#restored-ids)', () => {
    const stored = () => mongo.db.collection<{ _id: string; value: number }>('counters')
    const start = async (name: string, highest: () => number): Promise<CounterStore> => {
      const counters = new CounterStore(mongo.db.collection('counters'))
      await counters.startAbove(name, () => Promise.resolve(highest()))
      return counters
    }

    it('allocates no number that another process holds and has not stored yet', async () => {
      await stored().insertOne({ _id: 'held', value: 100 })
      const [one, other] = [await start('held', () => 100), await start('held', () => 100)]
      expect(await one.allocate('held', 100)).toBe(101)
      await stored().deleteOne({ _id: 'held' })
      expect(await other.allocate('held', 1)).toBe(101 + SKIPPED_IDS)
      expect(await one.allocate('held', 1)).toBe(102 + SKIPPED_IDS)
    })

    it('allocates no number that another process holds while nothing is stored at all', async () => {
      const [one, other] = [await start('first', () => 0), await start('first', () => 0)]
      expect(await one.allocate('first', 100)).toBe(1)
      await stored().deleteOne({ _id: 'first' })
      expect(await other.allocate('first', 1)).toBe(1 + SKIPPED_IDS)
    })

    it('allocates no stored number', async () => {
      let highest = 0
      const [one, other] = [await start('lost', () => highest), await start('lost', () => highest)]
      const create = async (counters: CounterStore) => (highest = await counters.allocate('lost', 1))
      expect([await create(one), await create(other), await create(other)]).toEqual([1, 2, 3])
      await stored().deleteOne({ _id: 'lost' })
      expect([await create(one), await create(other)]).toEqual([4 + SKIPPED_IDS, 5 + SKIPPED_IDS])
      // a copy of an earlier moment
      await stored().updateOne({ _id: 'lost' }, { $set: { value: 1 } })
      expect(await create(one)).toBe(6 + 2 * SKIPPED_IDS)
    })

    it('allocates no number that another process holds when it is lost during a start', async () => {
      const one = await start('starting', () => 0)
      expect(await one.allocate('starting', 100)).toBe(1)
      const counters = new CounterStore(stored())
      const last = counters.last.bind(counters)
      counters.last = async (name) => {
        const value = await last(name)
        await stored().deleteOne({ _id: name })
        return value
      }
      await counters.startAbove('starting', () => Promise.resolve(50))
      expect(await counters.allocate('starting', 1)).toBe(101 + SKIPPED_IDS)
    })

    it('skips above what another process holds when it is lost before a skip or a raise', async () => {
      const highestStored = SKIPPED_IDS + 100
      const counted = new CounterStore(stored())
      for (const [name, raise] of [
        ['skipped', (counters: CounterStore) => counters.skip('skipped')],
        ['raised', (counters: CounterStore) => counters.raiseAbove('raised', 50)],
      ] as const) {
        let highest = 50
        await stored().insertOne({ _id: name, value: highest })
        const other = await start(name, () => highest)
        // another process stores more ids, and holds a few
        await stored().updateOne({ _id: name }, { $set: { value: highestStored + 10 } })
        highest = highestStored
        await stored().deleteOne({ _id: name })
        await raise(other)
        expect(await counted.last(name)).toBe(highestStored + SKIPPED_IDS)
      }
    })

    it('skips at the start what may have been allocated after the copy was made', async () => {
      await start('older', () => 40)
      expect(await new CounterStore(stored()).last('older')).toBe(40 + SKIPPED_IDS)
      await start('older', () => 40)
      expect(await new CounterStore(stored()).last('older')).toBe(40 + SKIPPED_IDS)
    })
  })
})

describe('readById', () => {
  interface Row {
    _id: number
    id: number
    isRare: boolean
  }
  const rows: Row[] = []
  const collection = () => mongo.db.collection<Row>('rows')
  beforeAll(async () => {
    // dense, then with gaps, then far away
    const ids = [
      ...Array.from({ length: 1_500 }, (_, at) => at + 1),
      ...Array.from({ length: 500 }, (_, at) => 1_600 + at * 37),
      ...Array.from({ length: 100 }, (_, at) => 400_000 + at * 5_000),
    ]
    rows.push(...ids.map((id, at) => ({ _id: id, id, isRare: at % 400 === 399 })))
    await collection().createIndex({ id: 1 })
    await collection().insertMany(rows.toReversed())
  })

  it.each([
    { after: 0, skip: 0, limit: 50 },
    { after: 0, skip: 1_480, limit: 50 },
    { after: 1_490, limit: 500 },
    { after: 1_500, skip: 90, limit: 3 },
    { after: 18_000, limit: 500 },
    { after: 18_000, skip: 20, limit: 7 },
    { after: 0, skip: 2_050, limit: 100 },
    { after: 900_000, limit: 10 },
    { after: 0, skip: 5_000, limit: 10 },
  ])('returns what a query without windows returns: %j', async (range) => {
    for (const isRare of [undefined, true, false]) {
      const chosen = rows.filter((row) => row.id > range.after && (isRare === undefined || row.isRare === isRare))
      const found = await listById(collection(), isRare === undefined ? {} : { isRare }, range)
      expect(found).toEqual(chosen.slice(range.skip ?? 0, (range.skip ?? 0) + range.limit))
    }
  })

  it('reads no further than it is asked to', async () => {
    const ids: number[] = []
    for await (const { id } of readById(collection(), {}, { after: 0, limit: 500 })) {
      ids.push(id)
      if (id === 3) break
    }
    expect(ids).toEqual([1, 2, 3])
  })
})
