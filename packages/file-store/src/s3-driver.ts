import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { traceCall } from '@partsbus/platform/process/spans'
import type { FileStoreConfig } from './config.js'
import { type FileDriver, FileNotFound, FileStorageUnavailable, type NamedBytes } from './file-driver.js'

/** Size of a part, and parts uploaded at once: their product is the memory that a local file of any size needs. */
const PART_BYTES = 5 * 1024 * 1024
const PARALLEL_PARTS = 2

interface OpenedClient {
  client: S3Client
  sdk: typeof import('@aws-sdk/client-s3')
}

/**
 * Objects of a bucket of S3 or a compatible server. The client is loaded on first use. It is an optional peer: only the
 * services that store files depend on it, so that it is not in the images of the others, which have the command line.
 */
export class S3Driver implements FileDriver {
  private opened: Promise<OpenedClient> | undefined

  constructor(
    private readonly config: FileStoreConfig,
    private readonly bucket: string,
    private readonly prefix: string,
  ) {}

  async prepare(): Promise<void> {
    await this.open()
  }

  async write(files: NamedBytes[]): Promise<void> {
    const { client, sdk } = await this.open()
    await Promise.all(
      files.map(({ name, bytes }) =>
        this.trace('PutObject', name, () => {
          const object = { ...this.location(name), Body: bytes, ContentLength: bytes.length }
          return send(name, client.send(new sdk.PutObjectCommand(object)))
        }),
      ),
    )
  }

  async writeFrom(name: string, path: string): Promise<number> {
    const { client } = await this.open()
    const { Upload } = await import('@aws-sdk/lib-storage')
    const { size } = await stat(path)
    const params = { ...this.location(name), Body: createReadStream(path) }
    const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARALLEL_PARTS })
    await this.trace('PutObject', name, () => send(name, upload.done()))
    return size
  }

  read(name: string, offset: number, length: number): Promise<Buffer<ArrayBuffer>> {
    return this.trace('GetObject', name, async () => {
      const parts: Buffer[] = []
      let size = 0
      for await (const bytes of this.get(name, { offset, length })) {
        parts.push(bytes)
        size += bytes.length
        // some servers send more than the range: s3rver answers `bytes=0-0` with the whole object
        if (size >= length) break
      }
      return Buffer.concat(parts).subarray(0, length)
    })
  }

  copyTo(name: string, path: string): Promise<void> {
    return this.trace('GetObject', name, () => pipeline(this.get(name), createWriteStream(path)))
  }

  async delete(name: string): Promise<void> {
    const { client, sdk } = await this.open()
    await this.trace('DeleteObject', name, () =>
      send(name, client.send(new sdk.DeleteObjectCommand(this.location(name)))),
    )
  }

  /** The number of stored objects. */
  async count(): Promise<number> {
    const { client, sdk } = await this.open()
    let count = 0
    for (let token: string | undefined, isLast = false; !isLast;) {
      const page = await client.send(
        new sdk.ListObjectsV2Command({ Bucket: this.bucket, Prefix: this.prefix, ContinuationToken: token }),
      )
      count += page.KeyCount ?? page.Contents?.length ?? 0
      token = page.NextContinuationToken
      isLast = token === undefined
    }
    return count
  }

  private async *get(name: string, range?: { offset: number; length: number }): AsyncGenerator<Buffer> {
    const { client, sdk } = await this.open()
    const command = new sdk.GetObjectCommand({
      ...this.location(name),
      ...(range && { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` }),
    })
    const { Body, ContentRange } = await send(name, client.send(command))
    try {
      if (range && !ContentRange?.startsWith(`bytes ${range.offset}-`)) {
        ;(Body as Readable).destroy()
        throw new Error(`The S3 server ignored the requested range of ${name}.`)
      }
      yield* Body as Readable
    } catch (error) {
      throw new FileStorageUnavailable(error)
    }
  }

  private trace<T>(operation: string, name: string, work: () => Promise<T>): Promise<T> {
    return traceCall(`S3.${operation}`, work, () => ({
      'aws.s3.bucket': this.bucket,
      'aws.s3.key': this.location(name).Key,
    }))
  }

  private location(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${name}` }
  }

  private open(): Promise<OpenedClient> {
    this.opened ??= import('@aws-sdk/client-s3').then(
      (sdk) => ({ sdk, client: new sdk.S3Client(clientConfig(this.config)) }),
      (cause: unknown) => {
        throw new Error('the S3 client is not installed here: use the image of pricing-import or catalog', { cause })
      },
    )
    return this.opened
  }
}

/** Awaits a response and classifies its error. */
async function send<T>(name: string, response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    const { name: code, $metadata: metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
    if (code === 'NoSuchKey') throw new FileNotFound(name, error)
    // without a status there was no response
    throw metadata && (metadata.httpStatusCode ?? 503) >= 500 ? new FileStorageUnavailable(error) : error
  }
}

function clientConfig(config: FileStoreConfig): S3ClientConfig {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  return {
    region: config.S3_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // compatible servers may not support the checksums that the client adds by default
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}
