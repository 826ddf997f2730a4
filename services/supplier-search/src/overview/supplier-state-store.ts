import { Inject, Injectable } from '@nestjs/common'
import { WriteBehind } from '@partsbus/platform/async/write-behind'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { type AnyBulkWriteOperation, type Collection, Db } from 'mongodb'
import type { QueriedStorage, NotedAnswer } from '../search/storage-answer.js'

type Kind = 'own-stock' | 'price-list' | 'http'

/*
 * One document for each storage that was ever asked, by all processes.
 * answering (`failing_since` null) → failing (its last answer was a failure) → answering
 */
export interface SupplierState {
  /** id of the storage */
  _id: number
  name: string
  kind: Kind
  last_ok_at?: Date | null
  last_error?: string | null
  failing_since?: Date | null
  /** when a query last found the circuit breaker open */
  cut_off_at?: Date | null
}

/** Changes that this process has seen since its last write. */
interface Seen {
  name: string
  kind: Kind
  okAt?: Date
  /** the first failure since the last good answer */
  failedAt?: Date | undefined
  cutOffAt?: Date
  error?: string
}

const FLUSH_EVERY_MS = 10_000

/** The latest outcome of each storage: noted in memory, written every 10 s. */
@Injectable()
export class SupplierStateStore {
  private readonly states: Collection<SupplierState>
  private readonly writes: WriteBehind<Map<number, Seen>>

  constructor(db: Db, @Inject(LOG) log: Log) {
    this.states = db.collection('supplier_states')
    this.writes = new WriteBehind({
      everyMs: FLUSH_EVERY_MS,
      merge: addSeen,
      write: async (seen) => {
        const operations = [...seen].sort(([one], [other]) => one - other).flatMap(([id, each]) => writes(id, each))
        await retryConflicts(() => this.states.bulkWrite(operations))
      },
      failed: (error) => log.warn({ err: error }, 'statistics not written, will retry'),
    })
  }

  note({ id, name, supplier }: QueriedStorage, { outcome, isCutOff, error }: NotedAnswer<unknown>): void {
    const now = new Date()
    // the header values of an http supplier cannot be decrypted
    const seen: Seen = { name, kind: supplier?.kind ?? 'http' }
    if (outcome === 'ok' || outcome === 'partial') seen.okAt = now
    else {
      seen.failedAt = now
      if (isCutOff) seen.cutOffAt = now
      // the reason of a supplier that is cut off is the failure before
      else if (error !== null) seen.error = error
    }
    this.writes.collect(new Map([[id, seen]]))
  }

  async list(): Promise<SupplierState[]> {
    await this.writes.flush()
    return this.states.find().sort({ _id: 1 }).toArray()
  }

  stop(): Promise<void> {
    return this.writes.stop()
  }
}

function addSeen(older: Map<number, Seen>, newer: Map<number, Seen>): Map<number, Seen> {
  for (const [id, seen] of newer) {
    const before = older.get(id)
    const failedAt = seen.okAt ? seen.failedAt : (before?.failedAt ?? seen.failedAt)
    older.set(id, { ...before, ...seen, failedAt })
  }
  return older
}

function writes(
  id: number,
  { name, kind, okAt, failedAt, cutOffAt, error }: Seen,
): Array<AnyBulkWriteOperation<SupplierState>> {
  const set = { name, kind, ...(error !== undefined && { last_error: error }), ...(okAt && { failing_since: null }) }
  const max = { ...(okAt && { last_ok_at: okAt }), ...(cutOffAt && { cut_off_at: cutOffAt }) }
  const update = { $set: set, ...(Object.keys(max).length > 0 && { $max: max }) }
  const state: AnyBulkWriteOperation<SupplierState> = { updateOne: { filter: { _id: id }, update, upsert: true } }
  if (!failedAt) return [state]
  // it keeps the time at which another process saw the first failure
  const begin = { filter: { _id: id, failing_since: null }, update: { $set: { failing_since: failedAt } } }
  return [state, { updateOne: begin }]
}
