import type { SourceState } from '../price-lists/price-list-record.js'

/** Validators by which the next fetch detects a change. */
type Marks = Pick<SourceState, 'etag' | 'last_modified'>

/** Result of a fetch: a file, written to `path` of its plan, or no change. */
export type Fetched =
  | { outcome: 'unchanged'; marks?: Marks }
  | {
      outcome: 'fetched'
      file_name: string
      /** ISO 8601; null when the server does not say */
      modified_at: string | null
      marks: Marks
    }

/** Limits and target of one fetch. */
export interface FetchPlan {
  /** path for the file */
  path: string
  maxBytes: number
  /** see platform/allowed-hosts.ts */
  allowedHosts: readonly string[]
  /** additional trusted certificate authorities, PEM */
  certificates: readonly string[]
}

/** @param date of a server, which may be nonsense */
export function toInstant(date: string | Date | undefined): string | null {
  const ms = new Date(date ?? '').getTime()
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
