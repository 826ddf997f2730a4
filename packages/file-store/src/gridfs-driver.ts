import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { DURABLE } from '@partsbus/platform/mongo/durable'
import { collectDuplicates } from '@partsbus/platform/mongo/errors'
import { Binary, type Collection, type Db } from 'mongodb'
import { type FileDriver, FileNotFound, type NamedBytes } from './file-driver.js'

const CHUNK_BYTES = 1024 * 1024
/** chunks of one local file that are written at once: each waits for the disk of the database */
const MAX_PENDING_WRITES = 4

interface Chunk {
  /** `<name>/<n>`: writing a chunk twice changes nothing, and one index is enough */
  _id: string
  files_id: string
  n: number
  data: Binary
}

interface StoredFile {
  _id: string
  filename: string
  length: number
  chunkSize: number
  uploadDate: Date
}

/**
 * Files in the layout of GridFS, so that the tools of the database read them, by scanning the chunks. The driver's own
 * bucket is not used: its random chunk ids make two processes that write the same file, or a killed process that writes
 * it again, fail on each other's chunks.
 */
export class GridfsDriver implements FileDriver {
  private readonly files: Collection<StoredFile>
  private readonly chunks: Collection<Chunk>

  /** @param chunkDigits least digits of the number in the id of a chunk */
  constructor(
    db: Db,
    bucket: string,
    private readonly chunkDigits: number,
  ) {
    this.files = db.collection<StoredFile>(`${bucket}.files`, { writeConcern: DURABLE })
    this.chunks = db.collection<Chunk>(`${bucket}.chunks`, { writeConcern: DURABLE })
  }

  prepare(): Promise<void> {
    return Promise.resolve()
  }

  async write(files: NamedBytes[]): Promise<void> {
    if (files.length === 0) return
    const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const chunks = sorted.flatMap(({ name, bytes }) =>
      Array.from({ length: Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES)) }, (_, n) =>
        this.chunk(name, n, bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)),
      ),
    )
    // stored chunks have the same bytes
    await collectDuplicates(() => this.chunks.insertMany(chunks, { ordered: false }))
    const records = sorted.map(({ name, bytes }) => fileRecord(name, bytes.length))
    await collectDuplicates(() => this.files.insertMany(records, { ordered: false }))
  }

  async writeFrom(name: string, path: string): Promise<number> {
    const writes: Array<Promise<unknown>> = []
    let length = 0
    let n = 0
    for await (const data of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      if (writes.length >= MAX_PENDING_WRITES) await writes.shift()
      const write = this.chunks.insertOne(this.chunk(name, n, data))
      // awaited later
      write.catch(() => undefined)
      writes.push(write)
      length += data.length
      n += 1
    }
    await Promise.all(writes)
    await this.files.insertOne(fileRecord(name, length))
    return length
  }

  async read(name: string, offset: number, length: number): Promise<Buffer<ArrayBuffer>> {
    const first = Math.floor(offset / CHUNK_BYTES)
    const last = Math.floor((offset + Math.max(length, 1) - 1) / CHUNK_BYTES)
    const ids = Array.from({ length: last - first + 1 }, (_, at) => this.chunkId(name, first + at))
    const chunks = await this.chunks
      .find({ _id: { $in: ids } })
      .sort({ n: 1 })
      .toArray()
    if (chunks[0]?.n !== first) throw new FileNotFound(name)
    const bytes = Buffer.concat(chunks.map((chunk) => chunk.data.value()))
    const start = offset - first * CHUNK_BYTES
    return bytes.subarray(start, start + length)
  }

  async copyTo(name: string, path: string): Promise<void> {
    const file = await this.files.findOne({ _id: name })
    if (!file) throw new FileNotFound(name)
    const copy = await open(path, 'w')
    try {
      for (let n = 0; n * CHUNK_BYTES < file.length; n += 1) {
        const chunk = await this.chunks.findOne({ _id: this.chunkId(name, n) })
        if (!chunk) throw new FileNotFound(name)
        await copy.writeFile(chunk.data.value())
      }
    } finally {
      await copy.close()
    }
  }

  async delete(name: string): Promise<void> {
    await this.files.deleteOne({ _id: name })
    // `0` is the character after `/`
    await this.chunks.deleteMany({ _id: { $gte: `${name}/`, $lt: `${name}0` } })
  }

  private chunk(name: string, n: number, bytes: Uint8Array): Chunk {
    return { _id: this.chunkId(name, n), files_id: name, n, data: new Binary(bytes) }
  }

  private chunkId(name: string, n: number): string {
    return `${name}/${String(n).padStart(this.chunkDigits, '0')}`
  }
}

function fileRecord(name: string, length: number): StoredFile {
  return { _id: name, filename: name, length, chunkSize: CHUNK_BYTES, uploadDate: new Date() }
}
