import { randomUUID } from 'node:crypto'
import { AppError, texts } from '@partsbus/contracts/errors'
import { UPLOAD_BUCKET } from '@partsbus/contracts/pricing'
import type { BusConnection } from '@partsbus/platform/bus-connection'
import { jetstream } from '@nats-io/jetstream'
import { Objm, type ObjectStore, setSha256Backend } from '@nats-io/obj'

// the bundled one in JavaScript takes seconds for a large file
setSha256Backend('native')

/** Bytes of one message. Each waits for the disk of the bus, so larger ones are fewer waits. */
const CHUNK_BYTES = 512 * 1024
/** How long the bus may take to keep one of them. */
const CHUNK_MS = 10_000

/** The bucket that fresh uploads are put into, for `pricing-import` to take them out (design section 5). */
export class UploadBucket {
  private readonly bus: BusConnection
  private store: Promise<ObjectStore> | undefined
  private readonly waiting = new Set<(error: AppError) => void>()

  constructor(bus: BusConnection) {
    this.bus = bus
    bus.onLoss(() => {
      // the bus may come back without its buckets
      this.store = undefined
      for (const fail of this.waiting) fail(away())
    })
  }

  /**
   * Keeps the bytes under a new name. What was kept of bytes that broke off is removed again.
   * @returns the name
   * @throws AppError UNAVAILABLE when the bus is away, else what the bus says: the bucket is full, the disk is
   */
  async put(bytes: ReadableStream<Uint8Array>): Promise<string> {
    if (!this.bus.isUp()) throw away()
    let lost: (error: AppError) => void = () => undefined
    const loss = new Promise<never>((_, fail) => { lost = fail })
    this.waiting.add(lost)
    try {
      const store = await Promise.race([this.open(), loss])
      const name = randomUUID()
      await Promise.race([store.put({ name, options: { max_chunk_size: CHUNK_BYTES } }, bytes, { timeout: CHUNK_MS }), loss])
      return name
    } catch (error) {
      this.store = undefined
      throw error
    } finally {
      this.waiting.delete(lost)
    }
  }

  /** Removes an object and does not wait for it: what stays goes with the bucket's time limit. */
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

function away(): AppError {
  return new AppError('UNAVAILABLE', texts.unavailable)
}
