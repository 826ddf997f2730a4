/** An upload as a local file. */
export interface FetchedUpload {
  path: string
  /** bytes */
  size: number
}

/** The reading half of the store (docs/decisions/0009-upload-hand-over.md). */
export interface UploadReader {
  /** @param scratch a path that may be written to. @returns undefined when there is no such upload */
  fetch(object: string, scratch: string): Promise<FetchedUpload | undefined>
  /** Deletes an upload without waiting for it. */
  drop(object: string): void
  /** Deletes the uploads that exceeded their time limit. */
  sweep(): Promise<void>
}
