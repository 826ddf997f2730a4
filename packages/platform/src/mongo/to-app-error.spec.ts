import { describe, expect, it } from '@jest/globals'
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb'
import { toAppError } from './to-app-error.js'

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

describe('toAppError', () => {
  it.each([
    ['a broken connection', new MongoNetworkError('connection 3 closed')],
    [
      'a socket whose other end was killed',
      Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
    ],
    ['a bulk write whose connection broke', brokenBulk(new MongoNetworkError('connection 3 closed'))],
    ['a FerretDB whose PostgreSQL is down', new MongoServerError({ code: 1, message: 'failed to connect' })],
    ['a bulk write on such a FerretDB', brokenBulk({ code: 1, message: 'failed to connect', writeErrors: [] })],
    ['a bulk write that met a duplicate before PostgreSQL went down', refusedBulk(11_000, 1)],
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
    ['an operation that exceeded its time', new MongoServerError({ code: 50, message: 'MaxTimeMSExpired' })],
    [
      'an operation that exceeded its timeoutMS',
      Object.assign(new Error('Timed out during socket read'), { name: 'MongoOperationTimeoutError' }),
    ],
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

  it.each([24, 43, 175, 246, 276, 462, 11_601])(
    'code %i of a replica set, which may be repeated, is UNAVAILABLE',
    (code) => {
      expect(toAppError(new MongoServerError({ code, message: 'ended' }))).toMatchObject({ code: 'UNAVAILABLE' })
    },
  )

  it.each([
    ['an unexpected duplicate', refusedBulk(11_000)],
    ['a TypeError', new TypeError('x is not a function')],
    ['a refused write', brokenBulk({ code: 121, message: 'Document failed validation', writeErrors: [] })],
  ])('%s is INTERNAL', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'INTERNAL', message: 'Internal server error.', cause: error })
  })
})
