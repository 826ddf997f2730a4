import { createHash, randomUUID } from 'node:crypto'
import { AppError, texts } from '@partsbus/contracts/errors'
import { UPLOAD_BUCKET } from '@partsbus/contracts/pricing'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { jetstream, type JetStreamClient, jetstreamManager } from '@nats-io/jetstream'
import { Objm, type ObjectStore, setSha256Backend } from '@nats-io/obj'
import { headers } from '@nats-io/transport-node'
import type { Block, UploadPlace } from './upload-place.js'

// the bundled one in JavaScript takes seconds for a large file
setSha256Backend('native')

/** Blocks that the bus is keeping at once: it acknowledges each when it has it on its disk. */
const IN_FLIGHT = 4
/** How long the bus may take to keep one of them. */
const BLOCK_MS = 10_000

const STREAM = `OBJ_${UPLOAD_BUCKET.name}`

/**
 * The bucket that fresh uploads are put into, for `pricing-import` to take them out. Written as `@nats-io/obj` reads it; its own
 * `put` waits for each chunk before it sends the next (docs/decisions/0009-upload-hand-over.md).
 */
export class UploadBucket implements UploadPlace {
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

  async put(blocks: AsyncIterable<Block>): Promise<string> {
    if (!this.bus.isUp()) throw away()
    let lost: (error: AppError) => void = () => undefined
    const loss = new Promise<never>((_, fail) => {
      lost = fail
    })
    loss.catch(() => undefined)
    this.waiting.add(lost)
    try {
      await Promise.race([this.open(), loss])
      return await this.write(blocks, loss)
    } catch (error) {
      this.store = undefined
      throw error
    } finally {
      this.waiting.delete(lost)
    }
  }

  drop(object: string): void {
    this.open()
      .then((store) => store.delete(object))
      .catch(() => undefined)
  }

  private async write(blocks: AsyncIterable<Block>, loss: Promise<never>): Promise<string> {
    const js = jetstream(this.bus.nc)
    const name = randomUUID()
    const subject = `$O.${UPLOAD_BUCKET.name}.C.${name}`
    const hash = createHash('sha256')
    const sent: Array<Promise<unknown>> = []
    let size = 0
    let chunks = 0
    try {
      for await (const block of blocks) {
        const bytes = Buffer.concat(block)
        if (sent.length >= IN_FLIGHT) await Promise.race([sent.shift(), loss])
        sent.push(keep(js, subject, bytes))
        hash.update(bytes)
        size += bytes.length
        chunks += 1
      }
      await Promise.race([Promise.all(sent), loss])
      await Promise.race([
        describe(js, { name, size, chunks, digest: `SHA-256=${paddedBase64url(hash.digest())}` }),
        loss,
      ])
      return name
    } catch (error) {
      this.forget(sent, subject).catch(() => undefined)
      throw error
    }
  }

  /** Removes the chunks of a document that broke off, once none of them is on its way any more. */
  private async forget(sent: Array<Promise<unknown>>, subject: string): Promise<void> {
    await Promise.allSettled(sent)
    const manager = await jetstreamManager(this.bus.nc, { checkAPI: false })
    await manager.streams.purge(STREAM, { filter: subject })
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

function keep(js: JetStreamClient, subject: string, bytes: Uint8Array): Promise<unknown> {
  const kept = js.publish(subject, bytes, { timeout: BLOCK_MS })
  // waited for later
  kept.catch(() => undefined)
  return kept
}

/** What makes chunks an object: without it nobody finds them. */
function describe(
  js: JetStreamClient,
  object: { name: string; size: number; chunks: number; digest: string },
): Promise<unknown> {
  const { name, ...rest } = object
  const rollup = headers()
  rollup.set('Nats-Rollup', 'sub')
  const info = {
    name,
    bucket: UPLOAD_BUCKET.name,
    nuid: name,
    ...rest,
    mtime: new Date().toISOString(),
    deleted: false,
    options: { max_chunk_size: 1024 * 1024 },
  }
  return js.publish(`$O.${UPLOAD_BUCKET.name}.M.${paddedBase64url(Buffer.from(name))}`, JSON.stringify(info), {
    headers: rollup,
    timeout: BLOCK_MS,
  })
}

function paddedBase64url(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

function away(): AppError {
  return new AppError('UNAVAILABLE', texts.unavailable)
}
