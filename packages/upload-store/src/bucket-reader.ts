import { open } from 'node:fs/promises'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { jetstream } from '@nats-io/jetstream'
import type { ObjectInfo } from '@nats-io/obj'
import { BUCKET_STREAM, chunkSubject, UploadBucket } from './upload-bucket.js'
import type { FetchedUpload, UploadReader } from './upload-reader.js'

/** A transfer that moves no byte for this long has failed; the client itself would wait forever. */
const STALL_MS = 10_000
/** Chunks of 1 MiB that may be in this process unwritten. The store's own reader is sent all of them at once. */
const AHEAD = 8

/** Reads uploads from the bucket of the bus. */
export class BucketReader implements UploadReader {
  private readonly bus: BusConnection
  private readonly bucket: UploadBucket

  constructor(bus: BusConnection) {
    this.bus = bus
    this.bucket = new UploadBucket(bus)
  }

  async fetch(object: string, scratch: string): Promise<FetchedUpload | undefined> {
    const found = await (await this.bucket.open()).info(object)
    if (!found || found.deleted) return undefined
    return { path: scratch, size: await this.copy(found, scratch) }
  }

  drop(object: string): void {
    this.bucket.drop(object)
  }

  /** The time limit of the bucket does it. */
  async sweep(): Promise<void> {}

  private async copy({ nuid, chunks }: ObjectInfo, path: string): Promise<number> {
    const file = await open(path, 'w')
    try {
      if (chunks === 0) return 0
      const consumer = await jetstream(this.bus.nc).consumers.get(BUCKET_STREAM, {
        filter_subjects: chunkSubject(nuid),
      })
      const messages = await consumer.consume({ max_messages: AHEAD })
      let isStalled = false
      const timer = setTimeout(() => {
        isStalled = true
        messages.stop()
      }, STALL_MS)
      let size = 0
      let count = 0
      try {
        for await (const { data } of messages) {
          await file.writeFile(data)
          size += data.length
          timer.refresh()
          if ((count += 1) === chunks) break
        }
      } finally {
        clearTimeout(timer)
        messages.stop()
      }
      if (count < chunks)
        throw new Error(isStalled ? 'the transfer stalled' : `the bucket has ${count} of ${chunks} chunks`)
      return size
    } finally {
      await file.close()
    }
  }
}
