import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { JetStreamError, jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import type { ObjectInfo } from '@nats-io/obj'
import { BUCKET_STREAM, chunkSubject, UploadBucket } from './upload-bucket.js'
import type { FetchedUpload, UploadReader } from './upload-reader.js'

/** A transfer that moves no byte for this long has failed. */
const STALL_MS = 10_000
const LAG_MS = 50
const NOT_FOUND = 404
/** Chunks of 1 MiB that may be in this process unwritten. The store's own reader is sent all of them at once. */
const AHEAD = 8

/**
 * Reads uploads from the bucket of the bus. The chunks are read by their subject and not through a consumer: the right
 * to create one is the right to have the messages of the stream delivered to any subject.
 */
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
      const subject = chunkSubject(nuid)
      let size = 0
      let count = 0
      let seq = 1
      let progressAt = performance.now()
      while (count < chunks) {
        for await (const chunk of this.chunks(subject, seq)) {
          await file.writeFile(chunk.data)
          size += chunk.data.length
          count += 1
          seq = chunk.seq + 1
          progressAt = performance.now()
        }
        if (count === chunks) break
        if (performance.now() - progressAt > STALL_MS) throw new Error(`the bucket has ${count} of ${chunks} chunks`)
        // a replica of the stream may be a moment behind
        if (performance.now() - progressAt > LAG_MS) await sleep(LAG_MS)
      }
      return size
    } finally {
      await file.close()
    }
  }
  /** The next few messages of a subject, from a sequence number on. */
  private async *chunks(subject: string, seq: number): AsyncGenerator<StoredMsg> {
    const { direct } = await jetstreamManager(this.bus.nc, { checkAPI: false })
    try {
      yield* await direct.getBatch(BUCKET_STREAM, { next_by_subj: subject, batch: AHEAD, seq })
    } catch (error) {
      if (!(error instanceof JetStreamError && 'code' in error && error.code === NOT_FOUND)) throw error
    }
  }
}
