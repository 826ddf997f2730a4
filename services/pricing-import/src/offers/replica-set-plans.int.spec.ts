import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { explainQueries } from '@partsbus/test-kit/replica-set/explain-queries'
import { noRealSet, ReplicaSetControl } from '@partsbus/test-kit/replica-set/replica-set-control'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MongoClient } from 'mongodb'
import { OfferStore } from './offer-store.js'

const VERSIONS = 100
const ROWS = 100_000
const PLACED_AT_ONCE = 10_000
const WITHIN_MS = 60 * 60_000

/** Only MongoDB chooses its plans, by the size of what is stored. */
;(noRealSet === '' ? describe : describe.skip)(`plans of MongoDB for ten million offers${noRealSet}`, () => {
  let set: ReplicaSetControl
  let client: MongoClient
  let offers: OfferStore
  beforeAll(async () => {
    set = await ReplicaSetControl.open(testMongodbUrl())
    client = await new MongoClient(set.url, { monitorCommands: true }).connect()
    offers = new OfferStore(client.db(`test_offer_plans_${process.pid}`))
    await offers.onModuleInit()
    for (let version = 1; version <= VERSIONS; version += 1)
      for (let first = 1; first <= ROWS; first += PLACED_AT_ONCE)
        await offers.place(
          version,
          Array.from({ length: PLACED_AT_ONCE }, (_, at) => ({ place: first + at, offer: offer(first + at) })),
        )
  }, WITHIN_MS)
  afterAll(async () => {
    await client.db(`test_offer_plans_${process.pid}`).dropDatabase()
    await client.close()
    await set.close()
  }, WITHIN_MS)

  const versions = Array.from({ length: VERSIONS }, (_, at) => at + 1)

  it.each<[string, () => Promise<unknown>, string]>([
    ['a search', () => offers.find('A77', versions), 'IXSCAN article_version'],
    ['a search of brands', () => offers.find('A77', versions, ['BOLT']), 'IXSCAN article_version'],
    ['a page of a version', () => offers.page(50, 0, 1_000), 'IXSCAN _id_'],
  ])('use an index for %s', async (_name, work, index) => {
    const [explained] = await explainQueries(client, work)
    const scans = explained?.stages.filter((stage) => /SCAN/.test(stage))
    expect(new Set(scans)).toEqual(new Set([index]))
  })
})

function offer(row: number) {
  return {
    ...{ brand: 'Bolt', brand_key: 'BOLT', article: `A-${row}`, article_key: `A${row}`, name: 'Part' },
    ...{ quantity: 5, price: 10, delivery_days: null },
  }
}
