import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { CounterStore } from '@partsbus/platform/counter-store'
import { ensureIndexes } from '@partsbus/platform/mongo-index'
import { Binary, type Collection } from 'mongodb'
import type { FileFolder } from './file-folder.js'

/*
 * A file: begun → whole (all chunks are there) → used (a task imports it) → gone. What is not used an hour after it was begun
 * is what a killed process left, and is swept.
 */
interface FileDocument {
  _id: number
  name: string
  size: number
  whole: boolean
  used: boolean
  /** the bytes lie in the folder; absent: in chunks */
  in_folder?: true
  at: Date
}

interface ChunkDocument {
  /** `file:chunk`, the chunk from 0 in six digits */
  _id: string
  file: number
  data: Binary
}

export interface StoredFile {
  id: number
  name: string
  /** bytes */
  size: number
}

const CHUNK = 1024 * 1024
const UNUSED_MS = 3_600_000
/** Chunks that are written at once: each waits for the disk of the database. */
const IN_FLIGHT = 4

/** Price list files as partners sent them: in a folder where there is one, else in the database, in chunks of at most 1 MiB. */
export class FileStore {
  private readonly files: Collection<FileDocument>
  private readonly chunks: Collection<ChunkDocument>
  private readonly counters: CounterStore
  private readonly folder: FileFolder | undefined

  constructor(files: Collection<FileDocument>, chunks: Collection<ChunkDocument>, counters: CounterStore, folder: FileFolder | undefined) {
    this.files = files
    this.chunks = chunks
    this.counters = counters
    this.folder = folder
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.chunks, [{ name: 'file', key: { file: 1 } }])
  }

  /** Keeps a file of this machine; when it returns, the file is durable. */
  async keep(path: string, name: string): Promise<StoredFile> {
    const id = await this.counters.take('files', 1)
    await this.files.insertOne({ _id: id, name, size: 0, whole: false, used: false, at: new Date(), ...(this.folder && { in_folder: true }) })
    const size = await (this.folder?.take(id, path) ?? this.keepChunks(id, path))
    await this.files.updateOne({ _id: id }, { $set: { size, whole: true } })
    return { id, name, size }
  }

  async find(id: number): Promise<StoredFile | undefined> {
    const found = await this.files.findOne({ _id: id, whole: true })
    return found ? { id: found._id, name: found.name, size: found.size } : undefined
  }

  /** At most `length` bytes from `offset`; fewer at the end of the file. */
  async read(id: number, offset: number, length: number): Promise<Buffer> {
    const folder = await this.folderOf(id)
    if (folder) return folder.read(id, offset, length)
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

  /** Writes a file to `path`. @throws Error when it is not there in full, or the disk is */
  async copyTo(id: number, path: string): Promise<void> {
    const file = await this.find(id)
    if (!file) throw new Error(`The file ${id} is gone`)
    const folder = await this.folderOf(id)
    if (folder) return folder.copyTo(id, path)
    const out = await open(path, 'w')
    try {
      for (let index = 0; index * CHUNK < file.size; index += 1) {
        const data = await this.chunk(id, index)
        if (!data) throw new Error(`The file ${id} lacks its chunk ${index}`)
        await out.writeFile(data)
      }
    } finally {
      await out.close()
    }
  }

  /** Notes that a task imports the file. */
  async use(id: number): Promise<void> {
    await this.files.updateOne({ _id: id }, { $set: { used: true } })
  }

  /** Files that were begun over an hour ago, and of which no task was noted. */
  async unused(): Promise<number[]> {
    const found = await this.files.find({ used: false, at: { $lt: new Date(Date.now() - UNUSED_MS) } }).limit(500).project<{ _id: number }>({ _id: 1 }).toArray()
    return found.map(({ _id }) => _id)
  }

  async delete(id: number): Promise<void> {
    const folder = await this.folderOf(id)
    await (folder ? folder.delete(id) : this.chunks.deleteMany({ file: id }))
    await this.files.deleteOne({ _id: id })
  }

  /** @throws Error when the file lies in a folder that this process was not told of */
  private async folderOf(id: number): Promise<FileFolder | undefined> {
    const found = await this.files.findOne({ _id: id }, { projection: { in_folder: 1 } })
    if (!found?.in_folder) return undefined
    if (!this.folder) throw new Error(`The file ${id} lies in a folder, and FILES_PATH names none`)
    return this.folder
  }

  /** @returns bytes */
  private async keepChunks(id: number, path: string): Promise<number> {
    const writing: Array<Promise<unknown>> = []
    let size = 0
    let index = 0
    for await (const data of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
      if (writing.length >= IN_FLIGHT) await writing.shift()
      const written = this.chunks.insertOne({ _id: chunkId(id, index), file: id, data: new Binary(data) })
      // waited for later
      written.catch(() => undefined)
      writing.push(written)
      size += data.length
      index += 1
    }
    await Promise.all(writing)
    return size
  }

  private async chunk(id: number, index: number): Promise<Buffer | undefined> {
    const found = await this.chunks.findOne({ _id: chunkId(id, index) })
    return found ? Buffer.from(found.data.buffer.subarray(0, found.data.position)) : undefined
  }
}

function chunkId(file: number, index: number): string {
  return `${file}:${String(index).padStart(6, '0')}`
}
