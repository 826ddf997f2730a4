import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { type Collection, type Db, MongoClient } from 'mongodb'
import { DocumentLeases } from './document-leases.js'

interface Thing {
  _id: string
  holder: string
  held_until: Date
  taken?: Date
}

let client: MongoClient
let db: Db
let things: Collection<Thing>
let leases: DocumentLeases<Thing>
beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  db = client.db(`test_leases_${randomUUID().slice(0, 8)}`)
  things = db.collection('things')
  leases = new DocumentLeases(things, { owner: 'holder', until: 'held_until' })
})
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

const insert = async (): Promise<string> => {
  const _id = randomUUID()
  await things.insertOne({ _id, holder: '', held_until: new Date(0) })
  return _id
}

describe('the lease of a document', () => {
  it('has one holder at a time', async () => {
    const _id = await insert()
    const outcomes = await Promise.all(['a', '$b', 'c'].map((owner) => leases.acquire({ _id }, owner, 60_000)))
    const held = outcomes.filter((thing) => thing !== null)
    expect(held).toHaveLength(1)
    expect(await things.countDocuments({ _id, ...leases.isFree })).toBe(0)
    await leases.release(_id, held[0]?.holder ?? '')
    expect(await leases.acquire({ _id }, 'd', 60_000, { taken: '$$NOW' })).toMatchObject({
      holder: 'd',
      taken: expect.any(Date),
    })
  })

  it('can be renewed after it has expired, unless another holder has acquired it', async () => {
    const _id = await insert()
    await leases.acquire({ _id }, 'a', 1)
    await waitFor(
      () => things.countDocuments({ _id, ...leases.isFree }),
      (free) => free === 1,
    )
    expect(await leases.renew(_id, 'a', 1)).toBe(true)
    await waitFor(
      () => leases.acquire({ _id }, 'b', 60_000),
      (thing) => thing !== null,
    )
    expect(await leases.renew(_id, 'a', 60_000)).toBe(false)
    await leases.release(_id, 'a')
    expect(await things.findOne({ _id })).toMatchObject({ holder: 'b' })
  })

  it('is not revived by a renewal after its release', async () => {
    const _id = await insert()
    await leases.acquire({ _id }, 'a', 60_000)
    await leases.release(_id, 'a')
    expect(await leases.renew(_id, 'a', 60_000)).toBe(false)
    expect(await things.countDocuments({ _id, ...leases.isFree })).toBe(1)
  })
})
