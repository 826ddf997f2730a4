import type { Caller } from '@partsbus/contracts/administration/caller'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import type { PriceListSource, SourceLastRun } from '@partsbus/contracts/pricing-import/price-list-source'

type WithoutSecret<Source> = Source extends PriceListSource
  ? Omit<Source, 'id' | 'is_active' | 'every_minutes' | 'password' | 'last_run'>
  : never

/** A source as it is stored: its password sealed. */
export type StoredSource = WithoutSecret<PriceListSource> & {
  id: number
  is_active: boolean
  every_minutes: number
  sealed_password: string | null
  state: SourceState
}

/**
 * The state of the runs of a source. A run sets `run_began_at` before it fetches and clears it when it records its
 * outcome; a value that is still there when the next run gets the lease belongs to a process that died.
 */
export interface SourceState {
  last_run: SourceLastRun
  run_began_at?: string | null
  /** begin of the first of the runs that failed in a row, and their number; absent after one that did not */
  failing_since?: string
  failures?: number
  /** of the last fetched file: its SHA-256, and validators for the next conditional request */
  sha256?: string | null
  etag?: string | null
  last_modified?: string | null
  /** the import of that file, and a digest of the rules it was imported by */
  task_id?: number | null
  rules_digest?: string | null
}

/** One stored version of a list. A version is the id of the task that created it. */
export interface KeptVersion {
  version: number
  /** offers in it */
  rows: number
  created_at: Date
  /** within the list, from 1; absent in versions of an earlier release */
  number?: number
  /** of all its offers; absent in versions of an earlier release, and where a merge took over offers with others */
  settings?: { markup_percent: number; delivery_days: number | null }
  /** of a merge: the imports whose offers it took over, the latest of them last */
  merged?: number[]
  /** a rollback led from it to one that was live before it, and it was not live since */
  is_rolled_back?: boolean
}

/** Versions that are kept for a rollback, the active one included (rules.md#versions). */
export const KEPT_VERSIONS = 3

/** What is created together with a list, and taken back unless the list is completed. */
export interface Creation {
  /** the storage of the list is created for it */
  has_storage: boolean
  /** who has its storage included in the search; null: nobody */
  included_by: Caller | null
}

/** A price list as it is stored. */
export interface PriceListRecord {
  id: number
  name: string
  storage_id: number
  is_active: boolean
  mode: 'replace' | 'merge'
  markup_percent: number
  min_rows_ratio: number | null
  delivery_days: number | null
  format: PriceListFormat
  sources: StoredSource[]
  /** raised by every change of an administrator, not by runs of sources and imports */
  revision: number
  /** raised by every change of `sources`, their states included */
  sources_rev: number
  /** 0 while there is none */
  active_version: number
  /** when it went live, or a rollback made it live again; absent when an earlier version of the service did */
  active_since?: Date
  /** the highest version that was ever live: an older upload never replaces it */
  highest_live: number
  /**
   * Uploads with a task id up to this one never go live any more, merges included: raised by every replacement that
   * goes live to its own id, and by every rollback to the highest id in use.
   */
  superseded_through: number
  /** the most recently live first, as `live-order.ts` reads them */
  versions: KeptVersion[]
  /** versions whose rows are to be deleted, since when */
  removed: Array<{ version: number; at: Date }>
  /** of a list that is not completed yet */
  creation?: Creation
}
