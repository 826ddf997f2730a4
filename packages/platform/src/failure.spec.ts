import { describe, expect, it } from '@jest/globals'
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb'
import { toAppError } from './failure.js'

const bulkResult = { insertedCount: 0 } as BulkWriteResult
/** As the driver makes it: the cause stands where the server's answer would. */
const brokenBulk = (cause: object) => new MongoBulkWriteError(cause as ConstructorParameters<typeof MongoBulkWriteError>[0], bulkResult)

describe('what a failure of the database means', () => {
  it.each([
    ['a broken connection', new MongoNetworkError('connection 3 closed')],
    ['a bulk write whose connection broke', brokenBulk(new MongoNetworkError('connection 3 closed'))],
    ['a FerretDB whose PostgreSQL is away', new MongoServerError({ code: 1, message: 'failed to connect' })],
    ['a bulk write on such a FerretDB', brokenBulk({ code: 1, message: 'failed to connect', writeErrors: [] })],
  ])('%s: the database is away', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'UNAVAILABLE', cause: error })
  })

  it.each([
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a refused write', brokenBulk({ code: 121, message: 'Document failed validation', writeErrors: [] })],
  ])('%s: our fault', (_what, error) => {
    expect(toAppError(error)).toMatchObject({ code: 'INTERNAL', message: 'Internal server error.', cause: error })
  })
})
