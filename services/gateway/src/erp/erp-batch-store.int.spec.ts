import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { createLog } from '@partsbus/platform/process/log'
import { Collection, type Db, MongoClient, MongoNetworkError } from 'mongodb'
import { ErpBatchStore } from './erp-batch-store.js'

let client: MongoClient
let db: Db
beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  db = client.db(`test_batches_${randomUUID().slice(0, 8)}`)
})
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})
beforeEach(() => db.collection('erp_batches').deleteMany({}))

const open = () => new ErpBatchStore(db, createLog('test', 'silent'))
const batch = (at: number) => ({
  request_id: `r-${at}`,
  call: 'products/batch-upsert',
  status: 200,
  duration_ms: 5,
  counts: { processed: at },
})

describe('ErpBatchStore (erp.md#batch-list-2)', () => {
  it('shows the batches of all gateways, also after a restart', async () => {
    const [first, second] = [open(), open()]
    first.add(batch(1))
    await first.list()
    // batches of the same millisecond have no order
    await delay(5)
    second.add(batch(2))
    await second.stop()
    expect((await open().list()).map(({ request_id }) => request_id)).toEqual(['r-2', 'r-1'])
    expect((await open().list())[0]).toEqual({ at: expect.stringMatching(/Z$/), ...batch(2) })
  })

  it('writes the rest when the answer to an earlier attempt was lost', async () => {
    const insertMany = jest.spyOn(Collection.prototype, 'insertMany')
    insertMany.mockImplementationOnce(async function (this: Collection, ...[documents]) {
      await this.insertOne(documents[0] ?? {})
      throw new MongoNetworkError('connection closed')
    })
    const log = open()
    log.add(batch(1))
    log.add(batch(2))
    await expect(log.list()).rejects.toThrow('connection closed')
    expect((await log.list()).map(({ request_id }) => request_id).toSorted()).toEqual(['r-1', 'r-2'])
    insertMany.mockRestore()
  })

  it('keeps the latest 1,000', async () => {
    await db
      .collection('erp_batches')
      .insertMany(Array.from({ length: 1_300 }, (_, at) => ({ at: new Date(at), ...batch(at) })))
    const log = open()
    log.add(batch(2_000))
    const listed = await log.list()
    expect([listed.length, listed[0]?.request_id, listed.at(-1)?.request_id]).toEqual([1_000, 'r-2000', 'r-301'])
    expect(await db.collection('erp_batches').countDocuments()).toBe(1_000)
  })
})
