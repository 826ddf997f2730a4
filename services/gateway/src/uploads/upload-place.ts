import type { BusConnection } from '@partsbus/platform/bus/connection'
import { UploadBucket } from './upload-bucket.js'
import { UploadFolder } from './upload-folder.js'

/** Bytes of a document, in the pieces they came in: 1 MiB together, fewer at its end. */
export type Block = readonly Buffer[]

/** Where documents lie between the gateway and `pricing-import` (docs/decisions/0009-upload-hand-over.md). */
export interface UploadPlace {
  /**
   * Keeps the blocks under a new name. What was kept of a document that broke off is removed again.
   * @returns the name
   * @throws AppError UNAVAILABLE when the place is away, else what it says: full, not writable
   */
  put(blocks: AsyncIterable<Block>): Promise<string>
  /** Removes a document and does not wait for it: what stays is swept after the bucket's time limit. */
  drop(object: string): void
}

/** @param folder one that `pricing-import` sees too; without it documents go through the bus */
export function openUploadPlace(bus: BusConnection, folder: string | undefined): UploadPlace {
  return folder === undefined ? new UploadBucket(bus) : new UploadFolder(folder)
}
