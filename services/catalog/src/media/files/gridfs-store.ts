import { collectDuplicates } from '@partsbus/platform/mongo/errors'
import { Binary, type Collection, type Db } from 'mongodb'
import type { FileDriver, NamedBytes } from './file-driver.js'

/** The gateway reads at most this many bytes at offsets that are multiples of it: one chunk. */
export const CHUNK_BYTES = 1024 * 1024

interface Chunk {
  /** `<name>/<n>`: writing a chunk twice changes nothing */
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
 * Files in the layout of GridFS, bucket `media`. Not the driver's bucket: its random chunk ids make two processes that
 * store the same image, or a process that was killed and repeats the write, fail on each other's chunks.
 */
export class GridfsStore implements FileDriver {
  private readonly files: Collection<StoredFile>
  private readonly chunks: Collection<Chunk>

  constructor(db: Db) {
    this.files = db.collection<StoredFile>('media.files')
    this.chunks = db.collection<Chunk>('media.chunks')
  }

  prepare(): Promise<void> {
    return Promise.resolve()
  }

  async write(files: NamedBytes[]): Promise<void> {
    const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    // stored chunks have the same bytes
    await collectDuplicates(() => this.chunks.insertMany(sorted.flatMap(chunksOf), { ordered: false }))
    const uploadDate = new Date()
    const records = sorted.map(({ name, bytes }) => ({
      _id: name,
      filename: name,
      length: bytes.length,
      chunkSize: CHUNK_BYTES,
      uploadDate,
    }))
    await collectDuplicates(() => this.files.insertMany(records, { ordered: false }))
  }

  async read(name: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const first = Math.floor(offset / CHUNK_BYTES)
    const last = Math.floor((offset + Math.max(length, 1) - 1) / CHUNK_BYTES)
    const ids = Array.from({ length: last - first + 1 }, (_, at) => chunkId(name, first + at))
    const chunks = await this.chunks
      .find({ _id: { $in: ids } })
      .sort({ n: 1 })
      .toArray()
    if (chunks[0]?.n !== first) return undefined
    const bytes = Buffer.concat(chunks.map((chunk) => chunk.data.value()))
    const start = offset - first * CHUNK_BYTES
    return bytes.subarray(start, start + length)
  }
}

function chunksOf({ name, bytes }: NamedBytes): Chunk[] {
  const count = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES))
  return Array.from({ length: count }, (_, n) => ({
    _id: chunkId(name, n),
    files_id: name,
    n,
    data: new Binary(bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)),
  }))
}

function chunkId(name: string, n: number): string {
  return `${name}/${n}`
}
