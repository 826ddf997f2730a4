import { UPLOAD_BUCKET } from '@partsbus/contracts/pricing-import/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { jetstream } from '@nats-io/jetstream'
import { Objm, type ObjectStore } from '@nats-io/obj'

/** The stream behind the bucket. */
export const BUCKET_STREAM = `OBJ_${UPLOAD_BUCKET.name}`

/** Largest chunk of an object, in bytes. */
export const CHUNK_BYTES = 1024 * 1024

/** Subject of the chunks of an object; its name is also its unique id. */
export function chunkSubject(object: string): string {
  return `$O.${UPLOAD_BUCKET.name}.C.${object}`
}

/** Subject of the record that makes chunks an object. */
export function metaSubject(object: string): string {
  return `$O.${UPLOAD_BUCKET.name}.M.${toBase64url(Buffer.from(object))}`
}

export function toBase64url(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** The object-store bucket of the bus that uploads go through, created when it is missing. */
export class UploadBucket {
  readonly bus: BusConnection
  private store: Promise<ObjectStore> | undefined

  constructor(bus: BusConnection) {
    this.bus = bus
    // the bus may come back without its buckets
    bus.onLoss(() => this.invalidate())
  }

  open(): Promise<ObjectStore> {
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

  /** Opens the bucket again at its next use. */
  invalidate(): void {
    this.store = undefined
  }

  /** Deletes an upload without waiting for it. */
  drop(object: string): void {
    this.open()
      .then((store) => store.delete(object))
      .catch(() => undefined)
  }
}
