import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { type FileDriver, FileGone, FilesAway } from './file-driver.js'
import type { FilesConfig } from './files-config.js'

/** Bytes of one part, and parts on their way at once: their product is the memory that a file on its way takes. */
const PART_BYTES = 5 * 1024 * 1024
const PARTS_AT_ONCE = 2

export type S3Options = Pick<
  FilesConfig,
  'S3_ENDPOINT' | 'S3_REGION' | 'S3_PREFIX' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY' | 'S3_FORCE_PATH_STYLE'
> & { S3_BUCKET: string }

interface Opened {
  client: S3Client
  sdk: typeof import('@aws-sdk/client-s3')
  storage: typeof import('@aws-sdk/lib-storage')
}

/** Objects of an S3 bucket, or of a server that speaks its protocol. The client is loaded only where it is chosen. */
export class S3Files implements FileDriver {
  private readonly options: S3Options
  private opened: Promise<Opened> | undefined

  constructor(options: S3Options) {
    this.options = options
  }

  async prepare(): Promise<void> {
    await this.open()
  }

  async take(key: string, from: string): Promise<number> {
    const { client, storage } = await this.open()
    const { size } = await stat(from)
    const params = { ...this.place(key), Body: createReadStream(from) }
    await told(key, new storage.Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }).done())
    return size
  }

  async read(key: string, offset: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const bytes of this.get(key, `bytes=${offset}-${offset + length - 1}`)) parts.push(bytes)
    return Buffer.concat(parts)
  }

  async copyTo(key: string, to: string): Promise<void> {
    await pipeline(this.get(key), createWriteStream(to))
  }

  async delete(key: string): Promise<void> {
    const { client, sdk } = await this.open()
    await told(key, client.send(new sdk.DeleteObjectCommand(this.place(key))))
  }

  private async *get(key: string, Range?: string): AsyncGenerator<Buffer> {
    const { client, sdk } = await this.open()
    const { Body } = await told(
      key,
      client.send(new sdk.GetObjectCommand({ ...this.place(key), ...(Range !== undefined && { Range }) })),
    )
    try {
      yield* Body as Readable
    } catch (error) {
      throw new FilesAway(error)
    }
  }

  private place(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.options.S3_BUCKET, Key: `${this.options.S3_PREFIX}price-files/${key}` }
  }

  private open(): Promise<Opened> {
    this.opened ??= Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]).then(
      ([sdk, storage]) => ({ sdk, storage, client: new sdk.S3Client(clientConfig(this.options)) }),
    )
    return this.opened
  }
}

/** Waits for an answer and says what its failure means. */
async function told<T>(key: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { name, $metadata: answered } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
    if (name === 'NoSuchKey') throw new FileGone(key, error)
    // without a status there was no answer at all
    throw answered && (answered.httpStatusCode ?? 503) >= 500 ? new FilesAway(error) : error
  }
}

function clientConfig(options: S3Options): S3ClientConfig {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = options
  return {
    region: options.S3_REGION,
    forcePathStyle: options.S3_FORCE_PATH_STYLE,
    ...(options.S3_ENDPOINT !== undefined && { endpoint: options.S3_ENDPOINT }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // other servers than Amazon's do not know the checksums the client adds by itself
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}
