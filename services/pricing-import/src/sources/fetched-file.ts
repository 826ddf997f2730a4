import type { SourceState } from '../price-lists/price-list-record.js'

/** Validators by which the next fetch detects a change. */
type Marks = Pick<SourceState, 'etag' | 'last_modified'>

/** Result of a fetch: a file, written to `path` of its plan, or no change. */
export type Fetched = { outcome: 'unchanged'; marks?: Marks } | { outcome: 'fetched'; file_name: string; marks: Marks }

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
