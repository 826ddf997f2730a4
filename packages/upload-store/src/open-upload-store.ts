import type { BusConnection } from '@partsbus/platform/bus/connection'
import { BucketReader } from './bucket-reader.js'
import { BucketWriter } from './bucket-writer.js'
import { FolderReader } from './folder-reader.js'
import { FolderWriter } from './folder-writer.js'
import type { UploadReader } from './upload-reader.js'
import type { UploadWriter } from './upload-writer.js'

/** @param folder that the reader sees too; without it documents go through the bus */
export function openUploadWriter(bus: BusConnection, folder: string | undefined): UploadWriter {
  return folder === undefined ? new BucketWriter(bus) : new FolderWriter(folder)
}

/** @param folder of the writers; without it uploads come through the bus */
export function openUploadReader(bus: BusConnection, folder: string | undefined): UploadReader {
  return folder === undefined ? new BucketReader(bus) : new FolderReader(folder)
}
