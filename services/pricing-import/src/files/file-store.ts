import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { CounterStore } from '@partsbus/platform/counter-store'
import { ensureIndexes } from '@partsbus/platform/mongo-index'
import { Binary, type Collection } from 'mongodb'

/*
 * A file: being written (chunks) → whole (its document) → gone. The document is written last, so a file that has one is
 * whole; chunks without one are what a killed process left, and are swept after an hour.
 */
interface FileDocument {
  _id: number
  name: string
  size: number
  sha256: string
}

interface ChunkDocument {
  /** `file:chunk`, the chunk from 0 in six digits */
  _id: string
  file: number
  at: Date
  data: Binary
}

export interface StoredFile {
  id: number
  name: string
  /** bytes */
  size: number
  /** hex */
  sha256: string
}

const CHUNK = 1024 * 1024

/** Price list files as partners sent them, in chunks of at most 1 MiB. */
export class FileStore {
  private readonly files: Collection<FileDocument>
  private readonly chunks: Collection<ChunkDocument>
  private readonly counters: CounterStore

  constructor(files: Collection<FileDocument>, chunks: Collection<ChunkDocument>, counters: CounterStore) {
    this.files = files
    this.chunks = chunks
    this.counters = counters
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.chunks, [{ name: 'file', key: { file: 1 } }])
  }

  /** Keeps a file of this machine; when it returns, the file is durable. */
  async keep(path: string, name: string): Promise<StoredFile> {
    const id = await this.counters.take('files', 1)
    const hash = createHash('sha256')
    let size = 0
    let index = 0
    for await (const data of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
      hash.update(data)
      size += data.length
      await this.chunks.insertOne({ _id: chunkId(id, index), file: id, at: new Date(), data: new Binary(data) })
      index += 1
    }
    const file = { name, size, sha256: hash.digest('hex') }
    await this.files.insertOne({ _id: id, ...file })
    return { id, ...file }
  }

  async find(id: number): Promise<StoredFile | undefined> {
    const found = await this.files.findOne({ _id: id })
    return found ? { id: found._id, name: found.name, size: found.size, sha256: found.sha256 } : undefined
  }

  /** At most `length` bytes from `offset`; fewer at the end of the file. */
  async read(id: number, offset: number, length: number): Promise<Buffer> {
    const first = Math.floor(offset / CHUNK)
    const last = Math.floor((offset + length - 1) / CHUNK)
    const parts: Buffer[] = []
    for (let index = first; index <= last; index += 1) {
      const data = await this.chunk(id, index)
      if (!data) break
      parts.push(data)
    }
    const start = offset - first * CHUNK
    return Buffer.concat(parts).subarray(start, start + length)
  }

  /** Writes a file to `path`. @throws Error when it is not there in full */
  async copyTo(id: number, path: string): Promise<void> {
    const file = await this.find(id)
    if (!file) throw new Error(`The file ${id} is gone`)
    const out = createWriteStream(path)
    for (let index = 0; index * CHUNK < file.size; index += 1) {
      const data = await this.chunk(id, index)
      if (!data) throw new Error(`The file ${id} lacks its chunk ${index}`)
      if (!out.write(data)) await new Promise<void>((done) => out.once('drain', done))
    }
    out.end()
    await finished(out)
  }

  async delete(id: number): Promise<void> {
    await this.files.deleteOne({ _id: id })
    await this.chunks.deleteMany({ file: id })
  }

  /** Deletes chunks older than an hour that belong to no whole file. */
  async sweep(): Promise<void> {
    const old = await this.chunks.find({ at: { $lt: new Date(Date.now() - 3_600_000) }, _id: /:000000$/ }).project<{ file: number }>({ file: 1 }).toArray()
    for (const { file } of old) {
      if (!(await this.files.findOne({ _id: file }, { projection: { _id: 1 } }))) await this.chunks.deleteMany({ file })
    }
  }

  private async chunk(id: number, index: number): Promise<Buffer | undefined> {
    const found = await this.chunks.findOne({ _id: chunkId(id, index) })
    return found ? Buffer.from(found.data.buffer.subarray(0, found.data.position)) : undefined
  }
}

function chunkId(file: number, index: number): string {
  return `${file}:${String(index).padStart(6, '0')}`
}
