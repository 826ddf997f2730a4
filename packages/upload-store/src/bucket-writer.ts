import { createHash, randomUUID } from 'node:crypto'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { UPLOAD_BUCKET } from '@partsbus/contracts/pricing-import/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { jetstream, type JetStreamClient, jetstreamManager } from '@nats-io/jetstream'
import { setSha256Backend } from '@nats-io/obj'
import { headers } from '@nats-io/transport-node'
import { BUCKET_STREAM, CHUNK_BYTES, chunkSubject, metaSubject, toBase64url, UploadBucket } from './upload-bucket.js'
import type { Block, UploadWriter } from './upload-writer.js'

// the bundled implementation in JavaScript takes seconds for a large file
setSha256Backend('native')

/** Blocks in flight: the bus acknowledges each when it is on its disk. */
const IN_FLIGHT = 4
/** Time for the acknowledgement of a block. */
const BLOCK_MS = 10_000

/**
 * Writes uploads into the bucket of the bus, in the format of `@nats-io/obj`. Its own `put` waits for each chunk before
 * it sends the next (docs/decisions/0009-upload-hand-over.md).
 */
export class BucketWriter implements UploadWriter {
  private readonly bus: BusConnection
  private readonly bucket: UploadBucket
  private readonly waiting = new Set<(error: AppError) => void>()

  constructor(bus: BusConnection) {
    this.bus = bus
    this.bucket = new UploadBucket(bus)
    bus.onLoss(() => {
      for (const fail of this.waiting) fail(busDown())
    })
  }

  async put(blocks: AsyncIterable<Block>): Promise<string> {
    if (!this.bus.isUp()) throw busDown()
    let lost: (error: AppError) => void = () => undefined
    const loss = new Promise<never>((_, fail) => {
      lost = fail
    })
    loss.catch(() => undefined)
    this.waiting.add(lost)
    try {
      await Promise.race([this.bucket.open(), loss])
      return await this.write(blocks, loss)
    } catch (error) {
      this.bucket.invalidate()
      throw error
    } finally {
      this.waiting.delete(lost)
    }
  }

  drop(object: string): void {
    this.bucket.drop(object)
  }

  private async write(blocks: AsyncIterable<Block>, loss: Promise<never>): Promise<string> {
    const js = jetstream(this.bus.nc)
    const name = randomUUID()
    const subject = chunkSubject(name)
    const hash = createHash('sha256')
    const sent: Array<Promise<unknown>> = []
    let size = 0
    let chunks = 0
    try {
      for await (const block of blocks) {
        const bytes = Buffer.concat(block)
        if (sent.length >= IN_FLIGHT) await Promise.race([sent.shift(), loss])
        sent.push(publishBlock(js, subject, bytes))
        hash.update(bytes)
        size += bytes.length
        chunks += 1
      }
      await Promise.race([Promise.all(sent), loss])
      await Promise.race([
        publishRecord(js, { name, size, chunks, digest: `SHA-256=${toBase64url(hash.digest())}` }),
        loss,
      ])
      return name
    } catch (error) {
      this.purge(sent, subject).catch(() => undefined)
      throw error
    }
  }

  /** Removes the chunks of a document that broke off, once none of them is in flight. */
  private async purge(sent: Array<Promise<unknown>>, subject: string): Promise<void> {
    await Promise.allSettled(sent)
    const manager = await jetstreamManager(this.bus.nc, { checkAPI: false })
    await manager.streams.purge(BUCKET_STREAM, { filter: subject })
  }
}

function publishBlock(js: JetStreamClient, subject: string, bytes: Uint8Array): Promise<unknown> {
  const published = js.publish(subject, bytes, { timeout: BLOCK_MS })
  // awaited later
  published.catch(() => undefined)
  return published
}

/** Chunks become an object by this record. */
function publishRecord(
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
    options: { max_chunk_size: CHUNK_BYTES },
  }
  return js.publish(metaSubject(name), JSON.stringify(info), {
    headers: rollup,
    timeout: BLOCK_MS,
  })
}

function busDown(): AppError {
  return new AppError('UNAVAILABLE', texts.unavailable)
}
