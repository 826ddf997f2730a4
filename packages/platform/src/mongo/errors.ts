import { setTimeout as sleep } from 'node:timers/promises'
import { MongoBulkWriteError, MongoServerError } from 'mongodb'
import { isMismatch } from './compare-and-set.js'

const DUPLICATE_KEY = 11_000
/** a write conflict of MongoDB, and the deadlock that FerretDB reports for the same situation */
const CONFLICTS = new Set([112, 16_908_292])

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY
}

/** Name of the index that refused a write, read from the text: both servers print it, only one sends `keyPattern`. */
export function violatedIndex(message: string): string | undefined {
  return /\bindex:? '?([^\s']+)/i.exec(message)?.[1]
}

/** One refused document of a bulk write: its position and the index that refused it. */
export interface RefusedWrite {
  position: number
  index: string
}

/**
 * Splits a bulk write's outcome: duplicates are results, updates that met another revision are left out, anything else
 * is thrown.
 * @param run the unordered write
 */
export async function collectDuplicates(run: () => Promise<unknown>): Promise<RefusedWrite[]> {
  try {
    await run()
    return []
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error
    const failures = [error.writeErrors].flat()
    const refused = failures.filter((failure) => !isMismatch(failure.errmsg))
    if (failures.length === 0 || refused.some((failure) => failure.code !== DUPLICATE_KEY)) throw error
    return refused.map((failure) => ({ position: failure.index, index: violatedIndex(failure.errmsg ?? '') ?? '' }))
  }
}

/** A write that lost against another one; it may be repeated. */
export function isWriteConflict(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return false
  if (typeof error.code === 'number' && CONFLICTS.has(error.code)) return true
  return (
    error instanceof MongoBulkWriteError && [error.writeErrors].flat().some((failure) => CONFLICTS.has(failure.code))
  )
}

/** Repeats an idempotent write that lost against another one, up to six times, with growing jitter. */
export async function retryConflicts<T>(write: () => Promise<T>, attempts = 6): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      if (attempt >= attempts || !isWriteConflict(error)) throw error
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
  }
}
