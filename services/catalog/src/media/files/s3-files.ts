import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type { FileDriver, NamedBytes } from './file-driver.js'

export interface S3Options {
  bucket: string
  region: string
  endpoint?: string | undefined
  prefix: string
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  forcePathStyle: boolean
}

/** Objects of a bucket of S3 or a compatible server. The client is loaded on first use. */
export class S3Files implements FileDriver {
  private readonly options: S3Options
  private opened: Promise<{ client: S3Client; sdk: typeof import('@aws-sdk/client-s3') }> | undefined

  constructor(options: S3Options) {
    this.options = options
  }

  async prepare(): Promise<void> {
    await this.open()
  }

  async write(files: NamedBytes[]): Promise<void> {
    await Promise.all(files.map((file) => this.writeOne(file)))
  }

  private async writeOne({ name, bytes }: NamedBytes): Promise<void> {
    const { client, sdk } = await this.open()
    await client.send(new sdk.PutObjectCommand({ ...this.location(name), Body: bytes, ContentLength: bytes.length }))
  }

  async read(name: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { client, sdk } = await this.open()
    try {
      const object = await client.send(
        new sdk.GetObjectCommand({ ...this.location(name), Range: `bytes=${offset}-${offset + length - 1}` }),
      )
      return object.Body && new Uint8Array(await object.Body.transformToByteArray())
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined
      throw error
    }
  }

  private location(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.options.bucket, Key: `${this.options.prefix}${name}` }
  }

  private open(): NonNullable<typeof this.opened> {
    this.opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client(clientConfig(this.options)),
    }))
    return this.opened
  }
}

function clientConfig(options: S3Options): S3ClientConfig {
  const { accessKeyId, secretAccessKey } = options
  return {
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // compatible servers may not support the checksums that the client adds by default
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}
