import { afterEach, describe, expect, it } from '@jest/globals'
import { type BulkWriteResult, Long, MongoBulkWriteError, MongoNetworkError, MongoServerError, ObjectId } from 'mongodb'
import { noteServers, toAppError } from './to-app-error.js'

const bulkResult = { insertedCount: 0 } as BulkWriteResult
/** As the driver builds it: with the cause in the place of the server's response. */
const brokenBulk = (cause: object) =>
  new MongoBulkWriteError(cause as ConstructorParameters<typeof MongoBulkWriteError>[0], bulkResult)
const refusedBulk = (...codes: number[]) =>
  brokenBulk({
    code: codes[0],
    message: 'refused',
    writeErrors: codes.map((code, index) => ({ code, index, errmsg: 'refused' })),
  })

/** The driver does not export its class, whose name is a getter, too. */
class PoolTimeout extends Error {
  override get name(): string {
    return 'MongoWaitQueueTimeoutError'
  }
}

/** Not exported either. */
class PoolCleared extends MongoNetworkError {
  override get name(): string {
    return 'MongoPoolClearedError'
  }
}

describe('toAppError', () => {
  it.each([
    ['a broken connection', new MongoNetworkError('connection 3 closed')],
    [
      'a socket whose other end was killed',
      Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
    ],
    ['a bulk write whose connection broke', brokenBulk(new MongoNetworkError('connection 3 closed'))],
    ['a pool whose connections were closed', new PoolCleared('Connection pool was cleared')],
    ['a bulk write whose connections were closed', brokenBulk(new PoolCleared('Connection pool was cleared'))],
    [
      'a server that is temporarily unavailable',
      new MongoServerError({ code: 365, message: 'TemporarilyUnavailable' }),
    ],
    ['a write concern that timed out', new MongoServerError({ code: 64, message: 'WriteConcernTimeout' })],
    ['a write concern that no set can meet', new MongoServerError({ code: 100, message: 'UnsatisfiableWriteConcern' })],
    [
      'no server for the read preference',
      new MongoServerError({ code: 133, message: 'FailedToSatisfyReadPreference' }),
    ],
    ['no majority to read from', new MongoServerError({ code: 134, message: 'ReadConcernMajorityNotAvailableYet' })],
  ])('%s is UNAVAILABLE', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', cause: error })
  })

  it.each([
    ['a write conflict', new MongoServerError({ code: 112, message: 'WriteConflict' })],
    ['a deadlock of FerretDB in a bulk write', refusedBulk(11_000, 16_908_292)],
    ['a bulk write that exceeded its time behind a duplicate', refusedBulk(11_000, 50)],
    ['an operation that exceeded its time', new MongoServerError({ code: 50, message: 'MaxTimeMSExpired' })],
    [
      'a pool without a free connection',
      Object.assign(new Error('Timed out while checking out a connection'), { name: 'MongoWaitQueueTimeoutError' }),
    ],
    [
      'a bulk write that got no connection of the pool',
      brokenBulk(new PoolTimeout('Timed out while checking out a connection')),
    ],
  ])('%s is OVERLOADED', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'OVERLOADED', cause: error })
  })

  it.each([24, 43, 91, 175, 189, 246, 276, 462, 10_107, 11_601, 11_602])(
    'code %i of a replica set, which may be repeated, is UNAVAILABLE, also in a bulk write',
    (code) => {
      for (const error of [
        new MongoServerError({ code, message: 'ended' }),
        refusedBulk(code),
        refusedBulk(11_000, code),
      ])
        expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE' })
    },
  )

  describe('code 1', () => {
    const errors: [string, MongoServerError][] = [
      ['alone', new MongoServerError({ code: 1, message: 'failed to connect' })],
      ['of a bulk write', brokenBulk({ code: 1, message: 'failed to connect', writeErrors: [] })],
      ['of a bulk write that met a duplicate before', refusedBulk(11_000, 1)],
    ]
    const topologyVersion = { processId: new ObjectId(), counter: Long.ONE }
    afterEach(() => noteServers([{ type: 'Standalone', topologyVersion }]))

    it.each(errors)('%s: of a FerretDB whose PostgreSQL is down it is UNAVAILABLE', (_what, error) => {
      noteServers([{ type: 'Standalone', topologyVersion: null }])
      // a FerretDB that is killed as well stays one
      noteServers([{ type: 'Unknown', topologyVersion: null }])
      expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', cause: error })
    })

    it.each(errors)('%s: of a MongoDB it is INTERNAL', (_what, error) => {
      noteServers([
        { type: 'RSPrimary', topologyVersion },
        { type: 'Unknown', topologyVersion: null },
      ])
      expect(toAppError(error)).toMatchObject({ code: 'INTERNAL', cause: error })
    })
  })

  it.each([
    ['an unexpected duplicate', refusedBulk(11_000)],
    ['a TypeError', new TypeError('x is not a function')],
    ['a refused write', brokenBulk({ code: 121, message: 'Document failed validation', writeErrors: [] })],
  ])('%s is INTERNAL', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'INTERNAL', message: 'Internal server error.', cause: error })
  })
})
