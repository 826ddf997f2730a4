import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { BSON, type Collection } from 'mongodb'
import { answerOf, openReplicaSet, type ReplicaSetUnderTest } from '../testing/replica-set-under-test.js'
import { compareAndSet } from './compare-and-set.js'
import { collectDuplicates } from './errors.js'
import { insertRaw } from './raw-insert/insert-raw.js'

interface Row {
  _id: string
  n: number
}

let place: ReplicaSetUnderTest
let rows: Collection<Row>
beforeAll(async () => {
  place = await openReplicaSet(testMongodbUrl(), 'set_errors')
  rows = place.mongo.db.collection('rows')
})
afterAll(() => place.close())
beforeEach(async () => {
  await rows.deleteMany({})
  await rows.insertMany(['a', 'b', 'c'].map((_id) => ({ _id, n: 0 })))
})
afterEach(() => place.set.endFailures())

const raw = (...ids: string[]) => Buffer.concat(ids.map((_id) => BSON.serialize({ _id, n: 0 })))
const unordered = { ordered: false }

interface Operation {
  command: string
  run(): Promise<unknown>
  /** the driver repeats it once */
  isRepeated: boolean
}
const writes: Record<string, Operation> = {
  insertMany: { command: 'insert', run: () => rows.insertMany([{ _id: 'new', n: 0 }], unordered), isRepeated: true },
  insertRaw: { command: 'insert', run: () => insertRaw(place.mongo.db, 'rows', raw('new')), isRepeated: false },
  bulkWrite: {
    command: 'update',
    run: () =>
      collectDuplicates(() =>
        rows.bulkWrite([{ updateOne: { filter: { _id: 'a' }, update: { $inc: { n: 1 } } } }], unordered),
      ),
    isRepeated: true,
  },
  updateOne: { command: 'update', run: () => rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }), isRepeated: true },
  findOneAndUpdate: {
    command: 'findAndModify',
    run: () => rows.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }),
    isRepeated: true,
  },
  updateMany: { command: 'update', run: () => rows.updateMany({}, { $set: { n: 1 } }), isRepeated: false },
  deleteMany: { command: 'delete', run: () => rows.deleteMany({ _id: 'b' }), isRepeated: false },
}
const reads: Record<string, Operation> = {
  find: { command: 'find', run: () => rows.find().toArray(), isRepeated: true },
  count: { command: 'aggregate', run: () => rows.countDocuments(), isRepeated: true },
  getMore: { command: 'getMore', run: () => rows.find({}, { batchSize: 1 }).toArray(), isRepeated: false },
}

/** Codes after which the driver repeats what it may repeat. */
const repeated = [91, 189, 10_107, 11_602]
const answers: Record<number, string> = { 50: 'OVERLOADED', 112: 'OVERLOADED' }

describe.each(Object.entries({ ...writes, ...reads }))('%s', (_name, { command, run, isRepeated }) => {
  const answerTo = async (data: object): Promise<string> => {
    await place.set.fail({ failCommands: [command], ...data })
    return answerOf(run())
  }

  it.each([43, 50, 112, 175, 189, 10_107])('answers to code %i that it may be repeated', async (errorCode) => {
    const expected = isRepeated && repeated.includes(errorCode) ? 'OK' : (answers[errorCode] ?? 'UNAVAILABLE')
    expect(await answerTo({ errorCode })).toBe(expected)
  })

  it('answers so to a connection that is closed', async () => {
    expect(await answerTo({ closeConnection: true })).toBe(isRepeated ? 'OK' : 'UNAVAILABLE')
  })
})

it.each([24, 64, 89, 91, 133, 134, 246, 262, 276, 365, 462, 9001, 10_058, 11_600, 11_601, 11_602, 13_435, 13_436])(
  'code %i is answered so, too',
  async (errorCode) => {
    await place.set.fail({ failCommands: ['delete'], errorCode })
    expect(await answerOf(rows.deleteMany({ _id: 'b' }))).toBe('UNAVAILABLE')
  },
)

describe.each(Object.entries(writes))('%s that the majority does not have', (_name, { command, run }) => {
  it.each([64, 91])('is not acknowledged: code %i', async (code) => {
    // 91 is repeated by the driver
    await place.set.fail({ failCommands: [command], writeConcernError: { code, errmsg: 'not replicated' } }, 2)
    expect(await answerOf(run())).toBe('UNAVAILABLE')
  })
})

describe('a bulk write that the majority does not have', () => {
  const failOnce = (command: string) =>
    place.set.fail({ failCommands: [command], writeConcernError: { code: 64, errmsg: 'not replicated' } })

  it('is not acknowledged because of duplicates among its documents', async () => {
    const insert = () =>
      collectDuplicates(() =>
        rows.insertMany(
          ['a', 'd'].map((_id) => ({ _id, n: 0 })),
          unordered,
        ),
      )
    await failOnce('insert')
    expect(await answerOf(insert())).toBe('UNAVAILABLE')
    expect((await insert()).map(({ position }) => position)).toEqual([0, 1])
  })

  it('is not acknowledged because of revisions that have changed', async () => {
    const update = () =>
      collectDuplicates(() =>
        rows.bulkWrite(
          [
            { updateOne: { filter: { _id: 'a' }, update: compareAndSet('n', 7, { n: 8 }) } },
            { updateOne: { filter: { _id: 'b' }, update: compareAndSet('n', 0, { n: 1 }) } },
          ],
          unordered,
        ),
      )
    await failOnce('update')
    expect(await answerOf(update())).toBe('UNAVAILABLE')
    expect(await answerOf(update())).toBe('OK')
    expect(await rows.find({ _id: { $in: ['a', 'b'] } }).toArray()).toEqual([
      { _id: 'a', n: 0 },
      { _id: 'b', n: 1 },
    ])
  })
})

describe('insertRaw', () => {
  const ids = () =>
    rows
      .find()
      .sort({ _id: 1 })
      .map(({ _id }) => _id)
      .toArray()

  it('reports a missing majority also where some documents were there already', async () => {
    const writeConcernError = { code: 64, errmsg: 'not replicated' }
    await place.set.fail({ failCommands: ['insert'], writeConcernError })
    const insert = () => insertRaw(place.mongo.db, 'rows', raw('a', 'd'))
    expect(await answerOf(insert())).toBe('UNAVAILABLE')
    expect(await answerOf(insert())).toBe('OK')
    expect(await ids()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is repeated by its caller when there is another primary between two batches', async () => {
    await insertRaw(place.mongo.db, 'rows', raw('d', 'e'))
    await place.set.stepDown()
    await waitFor(
      () => answerOf(insertRaw(place.mongo.db, 'rows', raw('e', 'f'))),
      (answer) => answer === 'OK',
    )
    expect(await ids()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })
})
