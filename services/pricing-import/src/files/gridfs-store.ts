import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Binary, type Collection, type Db } from 'mongodb'
import { type FileDriver, FileGone } from './file-driver.js'

const CHUNK_BYTES = 1024 * 1024
/** Chunks that are written at once: each waits for the disk of the database. */
const IN_FLIGHT = 4

interface Chunk {
  /** `<key>/<n>`, n in six digits: the chunks of a file lie together, and one index is enough */
  _id: string
  files_id: string
  n: number
  data: Binary
}

interface WrittenFile {
  _id: string
  filename: string
  length: number
  chunkSize: number
  uploadDate: Date
}

/** Files in the layout of GridFS, bucket `price_files`, so that the database's own tools read them. */
export class GridfsStore implements FileDriver {
  private readonly files: Collection<WrittenFile>
  private readonly chunks: Collection<Chunk>

  constructor(db: Db) {
    this.files = db.collection('price_files.files')
    this.chunks = db.collection('price_files.chunks')
  }

  prepare(): Promise<void> {
    return Promise.resolve()
  }

  async take(key: string, from: string): Promise<number> {
    const writing: Array<Promise<unknown>> = []
    let length = 0
    let n = 0
    for await (const data of createReadStream(from, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      if (writing.length >= IN_FLIGHT) await writing.shift()
      const written = this.chunks.insertOne({ _id: chunkId(key, n), files_id: key, n, data: new Binary(data) })
      // waited for later
      written.catch(() => undefined)
      writing.push(written)
      length += data.length
      n += 1
    }
    await Promise.all(writing)
    await this.files.insertOne({ _id: key, filename: key, length, chunkSize: CHUNK_BYTES, uploadDate: new Date() })
    return length
  }

  async read(key: string, offset: number, length: number): Promise<Buffer> {
    const first = Math.floor(offset / CHUNK_BYTES)
    const last = Math.floor((offset + length - 1) / CHUNK_BYTES)
    const parts: Buffer[] = []
    for (let n = first; n <= last; n += 1) {
      const bytes = await this.chunk(key, n)
      if (!bytes) break
      parts.push(bytes)
    }
    if (parts.length === 0) throw new FileGone(key)
    const start = offset - first * CHUNK_BYTES
    return Buffer.concat(parts).subarray(start, start + length)
  }

  async copyTo(key: string, to: string): Promise<void> {
    const file = await this.files.findOne({ _id: key })
    if (!file) throw new FileGone(key)
    const out = await open(to, 'w')
    try {
      for (let n = 0; n * CHUNK_BYTES < file.length; n += 1) {
        const bytes = await this.chunk(key, n)
        if (!bytes) throw new FileGone(key)
        await out.writeFile(bytes)
      }
    } finally {
      await out.close()
    }
  }

  async delete(key: string): Promise<void> {
    await this.files.deleteOne({ _id: key })
    await this.chunks.deleteMany({ _id: { $gte: `${key}/`, $lt: `${key}0` } })
  }

  private async chunk(key: string, n: number): Promise<Buffer | undefined> {
    const found = await this.chunks.findOne({ _id: chunkId(key, n) })
    return found ? Buffer.from(found.data.value()) : undefined
  }
}

function chunkId(key: string, n: number): string {
  return `${key}/${String(n).padStart(6, '0')}`
}
