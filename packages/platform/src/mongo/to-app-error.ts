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
 * Server answers that mean "the database is away": shutting down, not primary, stepping down; and code 1,
 * which a FerretDB whose PostgreSQL is away gives for everything.
 */
const awayCodes = new Set([1, 6, 7, 89, 91, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436])

/** A connection whose other end was killed between two commands; the driver passes the socket's own error on. */
const brokenSocket = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

const awayErrors = [MongoNetworkError, MongoServerSelectionError, MongoTopologyClosedError, MongoNotConnectedError]

/** Turns anything thrown into the one error, keeping the cause for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  // lost again and again against other writers
  if (isWriteConflict(error)) return new AppError('OVERLOADED', texts.unavailable, { cause: error })
  if (isDatabaseDown(error)) return new AppError('UNAVAILABLE', texts.unavailable, { cause: error })
  return new AppError('INTERNAL', texts.internal, { cause: error })
}

export function isDatabaseDown(error: unknown): boolean {
  if (awayErrors.some((kind) => error instanceof kind)) return true
  if (error instanceof Error && 'code' in error && brokenSocket.has(String(error.code))) return true
  // a bulk write whose connection broke wraps what broke it; one that was cut off tells it of its later writes only
  if (error instanceof MongoBulkWriteError) {
    if (isDatabaseDown(error.errorResponse) || [error.writeErrors].flat().some(({ code }) => awayCodes.has(code)))
      return true
  }
  return error instanceof MongoServerError && typeof error.code === 'number' && awayCodes.has(error.code)
}
