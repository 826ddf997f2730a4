import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import type { Db } from 'mongodb'
import { BrandSynonymStore } from './brand-synonyms/brand-synonym-store.js'
import type { HttpSupplier } from './dialects/dialect.js'
import { SpellingStore } from './http/spelling-store.js'

const cursor = { sort: () => cursor, limit: () => cursor, toArray: () => new Promise<never>(() => undefined) }
/** Accepts queries and answers none. */
const frozen = { collection: () => ({ find: () => cursor }) } as unknown as Db
const supplier = { base_url: 'https://supplier.example', headers: {} } as unknown as HttpSupplier

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

it.each([
  ['synonyms', () => new BrandSynonymStore(frozen, {} as CounterStore, {} as BusConnection).findAll(10, 100)],
  ['spellings', () => new SpellingStore(frozen).read([supplier], ['bosch'], 100)],
])('a frozen database holds up the reading of %s no longer than it may take', async (_what, read) => {
  const reading = expect(read()).rejects.toMatchObject({ code: 'OVERLOADED' })
  await jest.advanceTimersByTimeAsync(300)
  await reading
})
