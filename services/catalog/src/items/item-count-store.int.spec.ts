import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { createLog } from '@partsbus/platform/process/log'
import { type Mongo, openMongo } from '@partsbus/platform/mongo/connection'
import type { Collection } from 'mongodb'
import { ItemCountStore } from './item-count-store.js'
import type { ItemDocument } from './item-document.js'

const FULL = 65_536

let mongo: Mongo
let rows: Collection<ItemDocument>
const ids: number[] = []
const countOf = (id: number): number => ids.filter((one) => one <= id).length

beforeAll(async () => {
  const database = `test_catalog_count_${process.pid}`
  const log = createLog('test', 'silent')
  mongo = openMongo({ url: testMongodbUrl(), database, poolSize: 5, appName: 'test', log })
  await mongo.client.connect()
  rows = mongo.db.collection('rows')
  // one full chunk, one with gaps, and a few ids far above, so that the first are settled
  for (let id = 1; id <= FULL; id += 1) ids.push(id)
  for (let at = 1; at <= 3_000; at += 1) ids.push(FULL + at * 3)
  await rows.createIndex({ id: 1 })
  await insert(ids)
})
afterAll(async () => {
  await mongo.db.dropDatabase()
  await mongo.close()
})

async function insert(added: readonly number[]): Promise<void> {
  const documents = added.map((id) => ({ _id: String(id), id }) as ItemDocument)
  for (let at = 0; at < documents.length; at += 5_000) await rows.insertMany(documents.slice(at, at + 5_000))
}

describe('ItemCountStore', () => {
  it('counts a chunk with all its ids only once', async () => {
    const counted: unknown[] = []
    const count = new ItemCountStore({
      findOne: rows.findOne.bind(rows),
      countDocuments: (filter) => {
        counted.push(filter?.id)
        return rows.countDocuments(filter)
      },
    })
    expect(await count.countAll()).toBe(ids.length)
    expect(counted).toContainEqual({ $gt: 0, $lte: FULL })
    counted.length = 0
    expect(await count.countAll()).toBe(ids.length)
    expect(counted).toEqual([{ $gt: FULL, $lte: FULL + 9_000 }])
  })

  it('finds where a page begins, with and without gaps in the ids', async () => {
    const count = new ItemCountStore(rows)
    for (const items of [0, 1, 50, FULL - 1, FULL, FULL + 1, FULL + 700, FULL + 2_999, FULL + 3_000, FULL + 50_000]) {
      const { after, skip } = await count.findPosition(items)
      expect({ items, before: countOf(after) + skip }).toEqual({ items, before: items })
      // a page beyond the last item is empty, however many are skipped
      if (items < ids.length) expect(skip).toBeLessThanOrEqual(500)
    }
  })

  it('counts on after items far above the others', async () => {
    const count = new ItemCountStore(rows)
    expect(await count.countAll()).toBe(ids.length)
    const far = [3_000_000, 3_000_001]
    await insert(far)
    ids.push(...far)
    expect([await count.countAll(), await count.countAll()]).toEqual([ids.length, ids.length])
    expect(await count.countUpTo(FULL + 10)).toBe(countOf(FULL + 10))
    expect(await count.countUpTo(1_500_000)).toBe(countOf(1_500_000))
    expect(await count.countUpTo(2_999_999)).toBe(ids.length - 2)
  })

  it('starts again when the items are gone', async () => {
    const count = new ItemCountStore(rows)
    expect(await count.findHighestId()).toBe(3_000_001)
    await rows.deleteMany({ id: { $gt: 10 } })
    expect(await count.findHighestId()).toBe(10)
  })
})
