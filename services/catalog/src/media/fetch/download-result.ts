import type { Picture } from './picture.js'

/** How a download ended. A picture that cannot be had is a result, not an exception. */
export type DownloadResult = DownloadedPicture | { outcome: 'unchanged' } | DownloadFailure

export interface DownloadedPicture {
  outcome: 'downloaded'
  bytes: Buffer
  picture: Picture
  /** where the redirects ended */
  final_url: string
  etag: string | null
  last_modified: string | null
  /** gives the memory back; to be called once the bytes are stored */
  release: () => void
}

export interface DownloadFailure {
  outcome: 'failed'
  /** for the log and the admin, never for the caller */
  reason: string
  /** whether it may go better later */
  transient: boolean
}

export function failed(reason: string): DownloadFailure {
  return { outcome: 'failed', reason, transient: false }
}

export function failedForNow(reason: string): DownloadFailure {
  return { outcome: 'failed', reason, transient: true }
}
