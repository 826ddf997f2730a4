import type { BusConnection } from '@partsbus/platform/bus/connection'
import { UploadBucket } from './upload-bucket.js'
import { UploadFolder } from './upload-folder.js'

/** A fresh upload as a file of this machine. */
export interface FetchedUpload {
  path: string
  /** bytes */
  size: number
}

/** Where the gateway keeps fresh uploads until they are taken over; each is taken once (docs/decisions/0009-upload-hand-over.md). */
export interface FreshUploads {
  /** @param scratch a path that may be written to. @returns undefined when there is no such upload */
  fetch(object: string, scratch: string): Promise<FetchedUpload | undefined>
  /** Deletes an upload and does not wait for it. */
  drop(object: string): void
  /** Deletes what nobody took in time. */
  sweep(): Promise<void>
}

/** @param folder the gateway's; without it uploads come through the bus */
export function openFreshUploads(bus: BusConnection, folder: string | undefined): FreshUploads {
  return folder === undefined ? new UploadBucket(bus) : new UploadFolder(folder)
}
