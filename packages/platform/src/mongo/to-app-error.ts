import { AppError, texts } from '@partsbus/contracts/errors'
import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'
import { isWriteConflict } from './errors.js'

/**
 * Server answers that mean that the database is down: shutting down, not primary, stepping down (also 365, a temporary
 * unavailability); a write or read concern that cannot be met now (64, 100, 133, 134); an operation that the server
 * ended (24, 43, 175, 246, 276, 11601) or refused (462) and that may be repeated; and code 1, which a FerretDB whose
 * PostgreSQL is down gives for everything.
 */
const downCodes = new Set([
  1, 6, 7, 24, 43, 64, 89, 91, 100, 133, 134, 175, 189, 246, 262, 276, 365, 462, 9001, 10_058, 10_107, 11_600, 11_601,
  11_602, 13_435, 13_436,
])
/** The operation exceeded its `maxTimeMS`. */
const MAX_TIME_EXPIRED = 50

/** No connection of the pool was free, or the operation exceeded its `timeoutMS`. */
const timeouts = new Set(['MongoWaitQueueTimeoutError', 'MongoOperationTimeoutError'])

/** The server was killed between two commands; the driver passes the socket's own error on. */
const brokenSocket = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

const downErrors = [MongoNetworkError, MongoServerSelectionError, MongoTopologyClosedError, MongoNotConnectedError]

/** Turns anything thrown into an AppError, with the cause for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isWriteConflict(error) || isOverloaded(error))
    return new AppError('OVERLOADED', texts.unavailable, { cause: error })
  if (isDatabaseDown(error)) return new AppError('UNAVAILABLE', texts.unavailable, { cause: error })
  return new AppError('INTERNAL', texts.internal, { cause: error })
}

export function isDatabaseDown(error: unknown): boolean {
  if (downErrors.some((kind) => error instanceof kind)) return true
  if (error instanceof Error && 'code' in error && brokenSocket.has(String(error.code))) return true
  // a bulk write wraps the error of a broken connection, or reports it for the remaining writes only
  if (error instanceof MongoBulkWriteError) {
    if (isDatabaseDown(error.errorResponse) || [error.writeErrors].flat().some(({ code }) => downCodes.has(code)))
      return true
  }
  return error instanceof MongoServerError && typeof error.code === 'number' && downCodes.has(error.code)
}

/** The database answers, but not in time: no connection of the pool was free, or the operation took too long. */
function isOverloaded(error: unknown): boolean {
  if (error instanceof Error && timeouts.has(error.name)) return true
  // a bulk write that got no connection wraps the error
  if (error instanceof MongoBulkWriteError && isOverloaded(error.errorResponse)) return true
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED
}
