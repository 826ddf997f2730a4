import type { Db, Document } from 'mongodb'
import type { CounterUse } from '../diagnosis/check-ids.js'

/**
 * What a backup has to know of a database. Its service declares it as data, which is read when no service runs and the
 * database is empty.
 */
export interface BackupPlan {
  /** collections that a fresh installation has not filled yet: a restore does not replace them unasked */
  filled: readonly string[]
  counters: readonly CounterUse[]
  /** ids of another service that this one stores, and that its counter must not allocate again */
  foreignIds?: ReadonlyArray<{ service: string; counter: string; collection: string; field: string }>
  /**
   * Collections that are copied last, in this order: those that refer before those that are referred to, so that a
   * document that slips in during the copy misses nothing that it refers to.
   */
  copiedLast?: readonly string[]
  /** collections that are not copied, and that a restore empties */
  transient?: readonly string[]
  /** collections that every restore, or every request, changes, so that a difference is no defect */
  changing?: readonly string[]
  /** entries of processes that have no database of their own */
  guests?: ReadonlyArray<{ service: string; collection: string; lifetimeMs: number }>
  /** what makes restored data safe to start; it may be repeated */
  afterRestore?: ReadonlyArray<{ collection: string; filter: Document; update: Document }>
}

/** The database of a service, for backups. */
export interface StoredDatabase<Service extends string = string> {
  service: Service
  db: Db
  plan: BackupPlan
}

export type StoredDatabases = ReadonlyMap<string, StoredDatabase>

/** What every database has. */
export const PROCESSES = 'processes'
export const COUNTERS = 'counters'

/** Collections that are not copied. */
export function transientOf({ transient = [] }: BackupPlan): string[] {
  return [PROCESSES, ...transient]
}
