import type { ImageHeader } from './image-header.js'

/** How a download ended. A failed download is a result, not an exception. */
export type DownloadResult = DownloadedImage | { outcome: 'unchanged' } | DownloadFailure

export interface DownloadedImage {
  outcome: 'downloaded'
  bytes: Buffer
  image: ImageHeader
  /** URL after redirects */
  final_url: string
  etag: string | null
  last_modified: string | null
  /** releases the memory; called once the bytes are stored */
  release: () => void
}

export interface DownloadFailure {
  outcome: 'failed'
  /** for the log, administrators, and an ERP that asks for details; never in `errors` */
  reason: string
  /** whether a later attempt may succeed */
  transient: boolean
}

export function failed(reason: string): DownloadFailure {
  return { outcome: 'failed', reason, transient: false }
}

export function failedForNow(reason: string): DownloadFailure {
  return { outcome: 'failed', reason, transient: true }
}
