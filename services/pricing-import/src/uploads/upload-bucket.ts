import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UPLOAD_BUCKET } from '@partsbus/contracts/pricing'
import type { BusConnection } from '@partsbus/platform/bus-connection'
import { jetstream } from '@nats-io/jetstream'
import { Objm, type ObjectStore, setSha256Backend } from '@nats-io/obj'

// the bundled one in JavaScript takes seconds for a large file
setSha256Backend('native')

/** A transfer that moves no byte for that long is given up; the client itself would wait for ever. */
const STALL_MS = 10_000

/** The bucket that the gateway puts fresh uploads into; a file is taken out of it once. */
export class UploadBucket {
  private readonly bus: BusConnection
  private store: Promise<ObjectStore> | undefined

  constructor(bus: BusConnection) {
    this.bus = bus
    // the bus may come back without its buckets
    bus.onLoss(() => { this.store = undefined })
  }

  /** Copies an object to `path`. @returns its bytes, or undefined when there is no such object */
  async copyTo(object: string, path: string): Promise<number | undefined> {
    const store = await this.open()
    const found = await store.get(object)
    if (!found) return undefined
    // read by the stream itself, which fails too
    found.error.catch(() => undefined)
    const stalled = new AbortController()
    const timer = setTimeout(() => stalled.abort(new Error('the transfer stalled')), STALL_MS)
    let size = 0
    const watch = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length
        timer.refresh()
        done(null, chunk)
      },
    })
    try {
      await pipeline(found.data, watch, createWriteStream(path), { signal: stalled.signal })
      return size
    } finally {
      clearTimeout(timer)
    }
  }

  /** Deletes an object and does not wait for it: what stays goes with the bucket's time limit. */
  drop(object: string): void {
    this.open().then((store) => store.delete(object)).catch(() => undefined)
  }

  private open(): Promise<ObjectStore> {
    if (this.store) return this.store
    const opened = new Objm(jetstream(this.bus.nc)).create(UPLOAD_BUCKET.name, {
      ttl: UPLOAD_BUCKET.ttlMs * 1_000_000, max_bytes: UPLOAD_BUCKET.maxBytes,
    })
    opened.catch(() => { if (this.store === opened) this.store = undefined })
    this.store = opened
    return opened
  }
}
