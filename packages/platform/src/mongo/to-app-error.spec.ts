import { describe, expect, it } from '@jest/globals'
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb'
import { toAppError } from './to-app-error.js'

const bulkResult = { insertedCount: 0 } as BulkWriteResult
/** As the driver makes it: the cause stands where the server's answer would. */
const brokenBulk = (cause: object) =>
  new MongoBulkWriteError(cause as ConstructorParameters<typeof MongoBulkWriteError>[0], bulkResult)
const refusedBulk = (...codes: number[]) =>
  brokenBulk({
    code: codes[0],
    message: 'refused',
    writeErrors: codes.map((code, index) => ({ code, index, errmsg: 'refused' })),
  })

describe('what a failure of the database means', () => {
  it.each([
    ['a broken connection', new MongoNetworkError('connection 3 closed')],
    [
      'a socket whose other end was killed',
      Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
    ],
    ['a bulk write whose connection broke', brokenBulk(new MongoNetworkError('connection 3 closed'))],
    ['a FerretDB whose PostgreSQL is away', new MongoServerError({ code: 1, message: 'failed to connect' })],
    ['a bulk write on such a FerretDB', brokenBulk({ code: 1, message: 'failed to connect', writeErrors: [] })],
    ['one that met a duplicate before PostgreSQL went away', refusedBulk(11_000, 1)],
  ])('%s: the database is away', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', cause: error })
  })

  it.each([
    ['a write conflict', new MongoServerError({ code: 112, message: 'WriteConflict' })],
    ['a deadlock of FerretDB in a bulk write', refusedBulk(11_000, 16_908_292)],
  ])('%s that stayed after all repetitions: come again', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'OVERLOADED', cause: error })
  })

  it.each([
    ['duplicates that nobody expected', refusedBulk(11_000)],
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a refused write', brokenBulk({ code: 121, message: 'Document failed validation', writeErrors: [] })],
  ])('%s: our fault', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'INTERNAL', message: 'Internal server error.', cause: error })
  })
})
