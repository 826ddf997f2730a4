import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { addErpBatches, listErpBatches } from '@partsbus/contracts/administration/commands'
import { Collection, MongoNetworkError } from 'mongodb'
import { type AdministrationUnderTest, startAdministrationUnderTest } from '../testing/administration-under-test.js'

let service: AdministrationUnderTest
beforeAll(async () => {
  service = await startAdministrationUnderTest()
})
afterAll(() => service?.stop())
beforeEach(() => service.db.collection('erp_batches').deleteMany({}))

const batch = (at: number) => ({
  request_id: `r-${at}`,
  call: 'products/batch-upsert',
  status: 200,
  duration_ms: 5,
  counts: { processed: at },
})
const sent = (at: number) => ({ id: `id-${at}`, at: new Date(at).toISOString(), ...batch(at) })
const list = async () => (await service.ask(listErpBatches, {})).batches

describe('the list of batches (erp.md#batch-list-2)', () => {
  it('shows the batches of all gateways, also of a process that has ended', async () => {
    await service.ask(addErpBatches, { batches: [sent(1)] })
    const replica = await service.startReplica()
    await service.ask(addErpBatches, { batches: [sent(2)] })
    await replica.stop()
    expect((await list()).map(({ request_id }) => request_id)).toEqual(['r-2', 'r-1'])
    expect((await list())[0]).toEqual({ at: new Date(2).toISOString(), ...batch(2) })
  })

  it('writes the rest when the answer to an earlier attempt was lost', async () => {
    const insertMany = jest.spyOn(Collection.prototype, 'insertMany')
    insertMany.mockImplementationOnce(async function (this: Collection, ...[documents]) {
      await this.insertOne(documents[0] ?? {})
      throw new MongoNetworkError('connection closed')
    })
    const batches = [sent(1), sent(2)]
    await expect(service.ask(addErpBatches, { batches })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await service.ask(addErpBatches, { batches })
    expect((await list()).map(({ request_id }) => request_id).toSorted()).toEqual(['r-1', 'r-2'])
    insertMany.mockRestore()
  })

  it('keeps the latest 1,000', async () => {
    await service.db
      .collection('erp_batches')
      .insertMany(Array.from({ length: 1_300 }, (_, at) => ({ at: new Date(at), ...batch(at) })))
    for (let at = 2_000; at < 2_200; at += 1) await service.ask(addErpBatches, { batches: [sent(at)] })
    const listed = await list()
    expect([listed.length, listed[0]?.request_id]).toEqual([1_000, 'r-2199'])
    // old ones are deleted after every 200 batches
    expect(await service.db.collection('erp_batches').countDocuments()).toBeLessThan(1_200)
  })
})
