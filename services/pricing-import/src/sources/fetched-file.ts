import type { SourceState } from '../price-lists/price-list-record.js'

/** By which the next fetch tells whether there is anything new. */
type Marks = Pick<SourceState, 'etag' | 'last_modified'>

/** What a fetch gave: the file, written to the asked path, or that there is nothing new. */
export type Fetched = { outcome: 'unchanged'; marks?: Marks } | { outcome: 'fetched'; file_name: string; marks: Marks }

/** Limits of one fetch, and where its file goes. */
export interface FetchPlan {
  /** where the file is to be written */
  path: string
  maxBytes: number
  /** see platform/allowed-hosts.ts */
  allowedHosts: readonly string[]
  /** authorities trusted besides the usual ones, PEM */
  certificates: readonly string[]
}
