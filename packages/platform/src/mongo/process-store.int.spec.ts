import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type Db, MongoClient } from 'mongodb'
import { type ProcessDocument, ProcessStore } from './process-store.js'

let client: MongoClient
let db: Db
const processes = () => db.collection<ProcessDocument>('processes')
const seenAgo = (_id: string, ms: number) => ({ _id, seen_at: new Date(Date.now() - ms) })

beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  db = client.db(`test_processes_${process.pid}`)
})
beforeEach(() => db.dropDatabase())
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

/** docs/operate/backup.md#quiet */
describe('the entries of processes', () => {
  it('of the last 10 s are of running ones, and reading them changes nothing', async () => {
    const entries = [seenAgo('running', 5_000), seenAgo('killed', 20_000), seenAgo('forgotten', 90_000)]
    await processes().insertMany(entries)
    const running = await new ProcessStore(db, 'processes').listRunning()
    expect(running.map(({ _id }) => _id)).toEqual(['running'])
    expect(await processes().countDocuments()).toBe(3)
  })

  it('that were left long ago are deleted by the next process that starts', async () => {
    await processes().insertMany([seenAgo('killed', 20_000), seenAgo('forgotten', 90_000)])
    const store = new ProcessStore(db, 'processes')
    await store.renew()
    expect((await processes().find().toArray()).map(({ _id }) => _id).sort()).toEqual(['killed', store.id].sort())
  })
})
