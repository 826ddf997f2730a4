/** Requests to the process that checks a file: `check` reads directories only, `verify` unpacks an archive. */
export interface CheckRequest {
  request: 'check' | 'verify'
  path: string
  fileName: string
  folder: string
  maxUnpacked: number
}

export interface CheckResponse {
  answer: 'checked'
}
