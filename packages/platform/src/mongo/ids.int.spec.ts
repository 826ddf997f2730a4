import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { createLog } from '../process/log.js'
import { type Mongo, openMongo } from './connection.js'
import { CounterStore } from './counter-store.js'
import { highestId } from './highest-id.js'
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
    await counters.raiseTo('restored', 41)
    expect(await counters.allocate('restored', 2)).toBe(42)
    await counters.raiseTo('restored', 7)
    expect(await counters.last('restored')).toBe(43)
    await counters.raiseTo('empty', 0)
    expect(await counters.last('empty')).toBe(0)
  })

  it('allocates no stored number after the counter of a running process was lost', async () => {
    const rows = mongo.db.collection<{ _id: string; id: number }>('numbered')
    const document = { _id: 'lost' }
    const open = async (): Promise<CounterStore> => {
      const counters = new CounterStore(mongo.db.collection('counters'))
      await counters.startAbove('lost', () => highestId(rows, 'id'))
      return counters
    }
    const [one, other] = [await open(), await open()]
    const create = async (counters: CounterStore): Promise<number> => {
      const id = await counters.allocate('lost', 1)
      await rows.insertOne({ _id: String(id), id })
      return id
    }
    expect([await create(one), await create(other), await create(other)]).toEqual([1, 2, 3])
    const stored = mongo.db.collection<{ _id: string; value: number }>('counters')
    await stored.deleteOne(document)
    expect(await create(one)).toBe(4)
    expect([await create(other), await create(other)]).toEqual([5, 6])
    // a copy of an earlier moment
    await stored.updateOne(document, { $set: { value: 1 } })
    expect(await create(one)).toBe(7)
    expect(await create(other)).toBe(8)
  })

  it('skips the numbers that other processes reserved when the counter was lost', async () => {
    const counters = new CounterStore(mongo.db.collection('counters'))
    const stored = mongo.db.collection<{ _id: string; value: number }>('counters')
    await counters.startAbove('blocks', () => Promise.resolve(0), 500)
    expect(await counters.allocate('blocks', 100)).toBe(1)
    await counters.startAbove('blocks', () => Promise.resolve(40), 500)
    expect(await counters.allocate('blocks', 100)).toBe(101)
    await stored.deleteOne({ _id: 'blocks' })
    expect(await counters.allocate('blocks', 100)).toBe(701)
    await stored.updateOne({ _id: 'blocks' }, { $set: { value: 3 } })
    await new CounterStore(stored).startAbove('blocks', () => Promise.resolve(750), 500)
    expect(await counters.last('blocks')).toBe(1_250)
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
