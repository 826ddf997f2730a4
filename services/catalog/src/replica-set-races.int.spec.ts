import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { type Mongo, openMongo } from '@partsbus/platform/mongo/connection'
import { createLog } from '@partsbus/platform/process/log'
import { dropDisturbed, ReplicaSetControl } from '@partsbus/test-kit/replica-set/replica-set-control'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MediaSet } from './media/media-set.js'
import { MediaSetStore } from './media/media-set-store.js'
import { AttributeStore } from './products/attribute-store.js'

const WRITERS = 8
const SETS = 20
const TURNS = 12

let set: ReplicaSetControl
let mongo: Mongo
beforeAll(async () => {
  set = await ReplicaSetControl.open(testMongodbUrl())
  const database = `test_catalog_races_${process.pid}`
  const log = createLog('test', 'silent')
  mongo = openMongo({ url: set.url, database, poolSize: 10, appName: 'test', log })
  await mongo.client.connect()
})
afterAll(async () => {
  if (mongo) await dropDisturbed(mongo.db)
  await mongo?.close()
  await set?.close()
})

/** Runs all writers, and changes the primary when they have made a third of their turns. */
async function compete(write: (writer: number, turn: number) => Promise<void>): Promise<void> {
  let done = 0
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await write(writer, turn)
      done += 1
    }
  })
  const written = Promise.all(writers)
  const aThird = waitFor(
    async () => done,
    (count) => count >= (WRITERS * TURNS) / 3,
    60_000,
    5,
  )
  await Promise.race([written, aThird])
  await Promise.all([set.stepDown(), written])
}

describe('requests that compete while the primary changes', () => {
  it('leave each set of images as the latest batch of its item has sent it', async () => {
    const store = () => new MediaSetStore(mongo.db, new CounterStore(mongo.db.collection('counters')))
    const stores = Array.from({ length: WRITERS }, store)
    await stores[0]?.onModuleInit()
    const latest = new Map<string, number>()
    await compete(async (writer, turn) => {
      // every writer has its own revisions, in an order of its own
      const item_rev = ((turn * 5 + writer) % TURNS) * WRITERS + writer + 1
      const sets = Array.from({ length: SETS }, (_, at) => ({
        ...{
          _id: `product:p${at}`,
          item: 'product' as const,
          erp_id: `p${at}`,
          images: [],
          item_rev,
          received_at: new Date(item_rev),
        },
      }))
      await stores[writer]?.request(`request-${item_rev}`, sets, [])
      for (const { _id } of sets) latest.set(_id, Math.max(latest.get(_id) ?? 0, item_rev))
    })
    const stored = await mongo.db.collection<MediaSet>('media_sets').find().toArray()
    const expected = [...latest].map(([_id, item_rev]) => ({ _id, item_rev, request: `request-${item_rev}` }))
    const byId = (a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1)
    const found = stored.map(({ _id, item_rev, request }) => ({ _id, item_rev, request }))
    expect(found.sort(byId)).toEqual(expected.sort(byId))
    expect(found).toHaveLength(SETS)
  })

  it('create each attribute once, and know it afterwards', async () => {
    const stores = Array.from({ length: WRITERS }, () => new AttributeStore(mongo.db))
    const sent = new Set<string>()
    await compete(async (writer, turn) => {
      const names = Array.from({ length: SETS }, (_, at) => `name ${turn} ${(at + writer) % SETS}`)
      await stores[writer]?.ensure(names)
      for (const name of names) sent.add(name)
    })
    expect(await mongo.db.collection('attributes').distinct('_id')).toHaveLength(sent.size)
  })
})
