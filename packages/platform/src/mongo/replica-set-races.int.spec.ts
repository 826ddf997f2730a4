import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { noSignals } from '@partsbus/test-kit/replica-set/replica-set-control'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { answerOf, openReplicaSet, type ReplicaSetUnderTest } from '../testing/replica-set-under-test.js'
import { databaseNow } from './clock.js'
import { compareAndSet } from './compare-and-set.js'
import { CounterStore } from './counter-store.js'
import { collectDuplicates, isDuplicateKey } from './errors.js'
import { LeaseStore } from './lease-store.js'

const WRITERS = 8
const DOCUMENTS = 20
const itSignals = noSignals === '' ? it : it.skip

let place: ReplicaSetUnderTest
beforeAll(async () => {
  place = await openReplicaSet(testMongodbUrl(), 'set_races')
})
afterAll(() => place.close())

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** Runs writers, and changes the primary when `done` has reached a third of `all`. */
async function duringHandOver(all: number, work: (count: () => void) => Promise<unknown>[]): Promise<void> {
  let done = 0
  const written = Promise.all(work(() => (done += 1)))
  await waitFor(
    async () => done,
    (count) => count >= all / 3,
    60_000,
    5,
  )
  await place.set.stepDown()
  await written
}

describe('writers that compete while the primary changes', () => {
  it('change each revision once: what was acknowledged is stored', async () => {
    const rows = place.mongo.db.collection<{ _id: string; rev: number }>('revised')
    await rows.insertMany(times(DOCUMENTS, (at) => ({ _id: `r${at}`, rev: 0 })))
    const wins = new Map<string, number>()
    const turns = 15
    const write = async (writer: number, count: () => void): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) {
        const _id = `r${(writer * 7 + turn) % DOCUMENTS}`
        const { rev = -1 } = (await rows.findOne({ _id })) ?? {}
        const update = compareAndSet('rev', rev, { rev: rev + 1 })
        let matched = 0
        await collectDuplicates(async () => {
          matched = (await rows.bulkWrite([{ updateOne: { filter: { _id }, update } }], { ordered: false }))
            .matchedCount
        })
        wins.set(_id, (wins.get(_id) ?? 0) + matched)
        count()
      }
    }
    await duringHandOver(WRITERS * turns, (count) => times(WRITERS, (writer) => write(writer, count)))
    const stored = await rows.find().toArray()
    expect(stored.map(({ _id, rev }) => [_id, rev]).sort()).toEqual([...wins].sort())
  })

  it('are given each number of a counter once', async () => {
    const stores = times(WRITERS, () => new CounterStore(place.mongo.db.collection('counters')))
    const numbers: number[] = []
    const each = 20
    await duringHandOver(WRITERS * each, (count) =>
      stores.map(async (counters) => {
        for (let turn = 0; turn < each; turn += 1) {
          numbers.push(await counters.allocate('numbers', 1))
          count()
        }
      }),
    )
    expect(new Set(numbers).size).toBe(WRITERS * each)
  })

  it('get a unique value once', async () => {
    const rows = place.mongo.db.collection<{ _id: string; slug: string }>('unique')
    await rows.createIndex({ slug: 1 }, { name: 'slug_unique', unique: true })
    const owners = new Map<string, string>()
    await duringHandOver(WRITERS * DOCUMENTS, (count) =>
      times(WRITERS, async (writer) => {
        for (let at = 0; at < DOCUMENTS; at += 1) {
          const row = { _id: `${writer}-${at}`, slug: `slug-${at}` }
          const isOwner = await rows.insertOne(row).then(
            () => true,
            (error: unknown) => {
              if (isDuplicateKey(error)) return false
              throw error
            },
          )
          expect(isOwner && owners.has(row.slug)).toBe(false)
          if (isOwner) owners.set(row.slug, row._id)
          count()
        }
      }),
    )
    const stored = await rows.find().toArray()
    expect(new Map(stored.map(({ _id, slug }) => [slug, _id]))).toEqual(owners)
    expect(owners.size).toBe(DOCUMENTS)
  })

  it('hold a lease one at a time', async () => {
    const turns = 5
    let inside = 0
    let most = 0
    await duringHandOver(WRITERS * turns, (count) =>
      times(WRITERS, async () => {
        const leases = new LeaseStore(place.mongo.db.collection('leases'))
        for (let turn = 0; turn < turns; turn += 1) {
          await leases.withLease('one', { leaseMs: 20_000, waitMs: 60_000 }, async () => {
            most = Math.max(most, ++inside)
            await place.mongo.ping()
            inside -= 1
          })
          count()
        }
      }),
    )
    expect(most).toBe(1)
  })
})

describe(`a process that is cut off from the primary${noSignals}`, () => {
  itSignals('loses its lease before another one has it, and does not get it back', async () => {
    const collection = place.mongo.db.collection<{ _id: string; until: Date }>('leases')
    const leases = new LeaseStore(place.mongo.db.collection('leases'))
    const leaseMs = 2_000
    const order: string[] = []
    await leases.withLease('cut', { leaseMs, waitMs: 5_000, isRenewed: true }, async (signal) => {
      signal.addEventListener('abort', () => order.push('lost'))
      const thaw = await place.set.freeze()
      await waitFor(async () => signal.aborted, Boolean, 4 * leaseMs, 10)
      await thaw()
      const now = await databaseNow(place.mongo.db)
      // the renewals that were under way arrive now; the holder must send no others
      await waitFor(
        () => collection.findOne({ _id: 'cut' }),
        (lease) => lease !== null && lease.until > now,
      )
      const next = await leases.withLease('cut', { leaseMs, waitMs: 20_000 }, async () => {
        order.push('next')
        return 'held'
      })
      expect(next).toBe('held')
    })
    expect(order).toEqual(['lost', 'next'])
    expect(await answerOf(leases.withLease('cut', { leaseMs, waitMs: 5_000 }, async () => undefined))).toBe('OK')
  })
})
