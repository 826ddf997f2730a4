/** What a fetch gave: the file, written to the asked path, or that it is the one that was fetched last. */
export type Fetched =
  | { outcome: 'unchanged' }
  | { outcome: 'fetched'; file_name: string; etag?: string | null; last_modified?: string | null }

/** Bounds and place of one fetch. */
export interface FetchPlan {
  /** where the file is to be written */
  path: string
  maxBytes: number
  /** ends the fetch */
  signal: AbortSignal
  /** see platform/allowed-hosts.ts */
  allowedHosts: readonly string[]
  /** authorities trusted besides the usual ones, PEM */
  certificates: readonly string[]
}
