/** Bytes of a document, in the pieces they came in: 1 MiB together, fewer at its end. */
export type Block = readonly Buffer[]

/** The writing half of the store (docs/decisions/0009-upload-hand-over.md). */
export interface UploadWriter {
  /**
   * Stores the blocks under a new name. What was stored of a document that breaks off is removed.
   * @returns the name
   * @throws AppError UNAVAILABLE when the store is down; other errors when it is full or not writable
   */
  put(blocks: AsyncIterable<Block>): Promise<string>
  /** Deletes a document without waiting for it; a reader sweeps what remains after the time limit. */
  drop(object: string): void
}
