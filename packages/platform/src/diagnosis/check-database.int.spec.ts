import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { MongoClient } from 'mongodb'
import { checkClock } from './check-database.js'

let client: MongoClient
beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
})
afterAll(() => client?.close())

it('finds clock-skew', async () => {
  expect(await checkClock(client.db('test'))).toEqual([])
  const found = await checkClock(client.db('test'), () => Date.now() + 3_600_000)
  expect(found.map(({ code }) => code)).toEqual(['clock-skew'])
})
