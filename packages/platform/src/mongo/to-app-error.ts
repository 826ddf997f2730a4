import { AppError, texts } from '@partsbus/contracts/app-error'
import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  type ServerDescription,
  ServerType,
} from 'mongodb'
import { isBrokenSocket } from '../net/broken-socket.js'
import { isWriteConflict } from './errors.js'

/**
 * Server answers that mean that the database is down: shutting down, not primary, stepping down (also 365, a temporary
 * unavailability); a write or read concern that cannot be met now (64, 100, 133, 134); an operation that the server
 * ended (24, 43, 175, 246, 276, 11601) or refused (462) and that may be repeated.
 */
const downCodes = new Set([
  6, 7, 24, 43, 64, 89, 91, 100, 133, 134, 175, 189, 246, 262, 276, 365, 462, 9001, 10_058, 10_107, 11_600, 11_601,
  11_602, 13_435, 13_436,
])
/** A FerretDB whose PostgreSQL is down gives it for everything; of MongoDB it is a defect. */
const INTERNAL_ERROR = 1
/** The operation exceeded its `maxTimeMS`. */
const MAX_TIME_EXPIRED = 50

/** No connection of the pool was free. The driver does not export the class. */
const QUEUE_TIMEOUT = 'MongoWaitQueueTimeoutError'

const downErrors = [MongoNetworkError, MongoServerSelectionError, MongoTopologyClosedError, MongoNotConnectedError]

let isFerretdb = false

/** Tells which server the process has: MongoDB sends the version of its topology, FerretDB does not. */
export function noteServers(servers: Iterable<Pick<ServerDescription, 'type' | 'topologyVersion'>>): void {
  for (const { type, topologyVersion } of servers)
    if (type !== ServerType.Unknown) isFerretdb = topologyVersion === null
}

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
  if (isBrokenSocket(error)) return true
  // a bulk write wraps the error of a broken connection, or reports it for the remaining writes only
  if (error instanceof MongoBulkWriteError) {
    if (isDatabaseDown(error.errorResponse) || [error.writeErrors].flat().some(({ code }) => isDownCode(code)))
      return true
  }
  return error instanceof MongoServerError && isDownCode(error.code)
}

function isDownCode(code: unknown): boolean {
  return downCodes.has(code as number) || (isFerretdb && code === INTERNAL_ERROR)
}

/** The database answers, but not in time: no connection of the pool was free, or the operation took too long. */
export function isOverloaded(error: unknown): boolean {
  if (error instanceof Error && error.name === QUEUE_TIMEOUT) return true
  // a bulk write that got no connection wraps the error; one that took too long reports it for the remaining writes
  if (error instanceof MongoBulkWriteError) {
    const isLate = [error.writeErrors].flat().some(({ code }) => code === MAX_TIME_EXPIRED)
    if (isLate || isOverloaded(error.errorResponse)) return true
  }
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED
}
