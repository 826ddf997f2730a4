import { open } from 'node:fs/promises'
import { UPLOAD_BUCKET } from '@partsbus/contracts/pricing'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { jetstream } from '@nats-io/jetstream'
import { Objm, type ObjectInfo, type ObjectStore } from '@nats-io/obj'
import type { FetchedUpload, FreshUploads } from './fresh-uploads.js'

/** A transfer that moves no byte for that long is given up; the client itself would wait for ever. */
const STALL_MS = 10_000
/** Chunks of 1 MiB that may lie in this process unwritten. The store's own reader is sent all of them at once. */
const AHEAD = 8

/** The bucket of the bus that the gateway puts fresh uploads into. */
export class UploadBucket implements FreshUploads {
  private readonly bus: BusConnection
  private store: Promise<ObjectStore> | undefined

  constructor(bus: BusConnection) {
    this.bus = bus
    // the bus may come back without its buckets
    bus.onLoss(() => {
      this.store = undefined
    })
  }

  async fetch(object: string, scratch: string): Promise<FetchedUpload | undefined> {
    const found = await (await this.open()).info(object)
    if (!found || found.deleted) return undefined
    return { path: scratch, size: await this.copy(found, scratch) }
  }

  drop(object: string): void {
    this.open()
      .then((store) => store.delete(object))
      .catch(() => undefined)
  }

  /** The bucket's time limit does it. */
  async sweep(): Promise<void> {}

  private async copy({ nuid, chunks }: ObjectInfo, path: string): Promise<number> {
    const file = await open(path, 'w')
    try {
      if (chunks === 0) return 0
      const consumer = await jetstream(this.bus.nc).consumers.get(`OBJ_${UPLOAD_BUCKET.name}`, {
        filter_subjects: `$O.${UPLOAD_BUCKET.name}.C.${nuid}`,
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
        throw new Error(isStalled ? 'the transfer stalled' : `the bucket holds ${count} of ${chunks} chunks`)
      return size
    } finally {
      await file.close()
    }
  }

  private open(): Promise<ObjectStore> {
    if (this.store) return this.store
    const opened = new Objm(jetstream(this.bus.nc)).create(UPLOAD_BUCKET.name, {
      ttl: UPLOAD_BUCKET.ttlMs * 1_000_000,
      max_bytes: UPLOAD_BUCKET.maxBytes,
    })
    opened.catch(() => {
      if (this.store === opened) this.store = undefined
    })
    this.store = opened
    return opened
  }
}
