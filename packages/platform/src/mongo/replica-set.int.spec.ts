import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { noSignals, type ReplicaSetControl } from '@partsbus/test-kit/replica-set/replica-set-control'
import { createLog } from '../process/log.js'
import { answerOf, openReplicaSet, type ReplicaSetUnderTest } from '../testing/replica-set-under-test.js'
import { type Mongo, openMongo } from './connection.js'
import { ProcessStore } from './process-store.js'
import { withTimeLimit } from './with-time-limit.js'

interface Row {
  _id: string
  n: number
}

const itSignals = noSignals === '' ? it : it.skip
const log = createLog('test', 'silent')

let place: ReplicaSetUnderTest
let set: ReplicaSetControl
let mongo: Mongo
beforeAll(async () => {
  place = await openReplicaSet(testMongodbUrl(), 'set')
  ;({ set, mongo } = place)
})
afterAll(() => place.close())

describe('an election (promises.md#promise-5)', () => {
  it('that is planned is waited for: no write is lost, repeated or refused', async () => {
    const rows = mongo.db.collection<Row>('planned')
    await rows.insertOne({ _id: 'a', n: 0 })
    const answers: string[] = []
    const write = async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        answers.push(await answerOf(rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } })))
        await sleep(20)
      }
    }
    const writers = [write(), write(), write()]
    await set.stepDown()
    await Promise.all(writers)
    expect(new Set(answers)).toEqual(new Set(['OK']))
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 60 })
  })
})

describe(`a database that answers nothing${noSignals}`, () => {
  const whileFrozen = async <T>(work: () => Promise<T>): Promise<{ outcome: T; ms: number }> => {
    const thaw = await set.freeze()
    const begun = performance.now()
    try {
      return { outcome: await work(), ms: performance.now() - begun }
    } finally {
      await thaw()
    }
  }

  itSignals('is not ready after a second', async () => {
    expect(await mongo.ping()).toBe(true)
    const { outcome, ms } = await whileFrozen(() => mongo.ping())
    expect(outcome).toBe(false)
    expect(ms).toBeLessThan(2_500)
  })

  itSignals('holds up reads and writes with a time limit no longer than that', async () => {
    const rows = mongo.db.collection<Row>('frozen')
    const { outcome, ms } = await whileFrozen(() =>
      Promise.all([
        answerOf(withTimeLimit(300, (limit) => rows.find({}, limit).toArray())),
        answerOf(withTimeLimit(300, ({ maxTimeMS }) => rows.insertOne({ _id: 'late', n: 1 }, { maxTimeMS }))),
      ]),
    )
    expect(outcome).toEqual(['OVERLOADED', 'OVERLOADED'])
    expect(ms).toBeLessThan(2_000)
    expect(await answerOf(withTimeLimit(5_000, (limit) => rows.findOne({}, limit)))).toBe('OK')
  })

  itSignals('does not hold up the end of a process', async () => {
    const other = openMongo({ url: set.url, database: 'unused', poolSize: 2, appName: 'test', log })
    await other.client.connect()
    const entries = new ProcessStore(other.db, 'processes')
    await entries.renew()
    const { ms } = await whileFrozen(async () => {
      await entries.remove().catch(() => undefined)
      await other.close()
    })
    // of the 30 s that a container has
    expect(ms).toBeLessThan(10_000)
  })
})
