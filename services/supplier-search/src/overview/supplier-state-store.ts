import { Injectable } from '@nestjs/common'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
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

/** The latest outcome of each storage: noted in memory, written with the statistics. */
@Injectable()
export class SupplierStateStore {
  private readonly states: Collection<SupplierState>
  private seen = new Map<number, Seen>()

  constructor(db: Db) {
    this.states = db.collection('supplier_states')
  }

  note({ id, name, supplier }: QueriedStorage, { outcome, isCutOff, error }: NotedAnswer<unknown>): void {
    const now = new Date()
    const seen: Seen = this.seen.get(id) ?? { name, kind: 'http' }
    this.seen.set(id, seen)
    seen.name = name
    // the header values of an http supplier cannot be decrypted
    seen.kind = supplier?.kind ?? 'http'
    if (outcome === 'ok' || outcome === 'partial') {
      seen.okAt = now
      seen.failedAt = undefined
      return
    }
    seen.failedAt ??= now
    if (isCutOff) seen.cutOffAt = now
    // the reason of a supplier that is cut off is the failure before
    else if (error !== null) seen.error = error
  }

  /** @throws when the database is down; what was seen is then written the next time */
  async flush(): Promise<void> {
    if (this.seen.size === 0) return
    const written = this.seen
    this.seen = new Map()
    try {
      const operations = [...written].sort(([one], [other]) => one - other).flatMap(([id, seen]) => writes(id, seen))
      await retryConflicts(() => this.states.bulkWrite(operations))
    } catch (error) {
      for (const [id, seen] of written) this.seen.set(id, { ...seen, ...this.seen.get(id) })
      throw error
    }
  }

  async list(): Promise<SupplierState[]> {
    await this.flush()
    return this.states.find().sort({ _id: 1 }).toArray()
  }
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
