import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { insertRaw } from '@partsbus/platform/mongo/raw-insert/insert-raw'
import type { Db } from 'mongodb'
import { CommandFailed } from '../exit-codes.js'
import { writeChecked } from './checked-files.js'
import type { ListedFile } from './manifest.js'

/** Documents and bytes of one insert. */
const BATCH = 1_000
const BATCH_BYTES = 8 * 1024 * 1024
/** Of unpacked bytes: a large document is put together from few. */
const CHUNK_BYTES = 1024 * 1024
const MIN_BSON = 5
const MAX_BSON = 17 * 1024 * 1024
/** Higher levels cost several times the processor time and save little. */
const GZIP_LEVEL = 1

/** As mongodump names them: documents in BSON, one behind the other. */
export const documentsPath = (database: string, collection: string): string =>
  `database/${database}/${encodeURIComponent(collection)}.bson.gz`

/** Collections of a database, without those of the server. */
export async function listCollections(db: Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort()
}

/** Writes the documents of a collection as they are stored. @returns the file and the number of documents */
export async function dumpCollection(
  db: Db,
  collection: string,
  backup: string,
  onDocuments: (count: number) => void,
): Promise<{ file: ListedFile; documents: number }> {
  let documents = 0
  async function* read(): AsyncGenerator<Uint8Array> {
    let group: Uint8Array[] = []
    for await (const document of readRaw(db, collection)) {
      group.push(document)
      if (group.length < BATCH) continue
      yield Buffer.concat(group)
      documents += group.length
      onDocuments(group.length)
      group = []
    }
    documents += group.length
    onDocuments(group.length)
    yield Buffer.concat(group)
  }
  const path = documentsPath(db.databaseName, collection)
  const file = await writeChecked(backup, path, read(), createGzip({ level: GZIP_LEVEL }))
  return { file, documents }
}

/** The documents of a collection in BSON. */
export function readRaw(db: Db, collection: string): AsyncIterable<Uint8Array> {
  const cursor = db.collection(collection).find({}, { raw: true, batchSize: BATCH })
  return cursor as unknown as AsyncIterable<Uint8Array>
}

/** The documents of a dumped collection. @throws CommandFailed when the file is cut or no BSON */
export async function* readDump(backup: string, path: string): AsyncGenerator<Uint8Array> {
  const input = createReadStream(join(backup, path))
  const unzipped = input.pipe(createGunzip({ chunkSize: CHUNK_BYTES }))
  input.once('error', (error) => unzipped.destroy(error))
  try {
    yield* splitDocuments(unzipped, path)
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    throw new CommandFailed(`${path} cannot be read: ${(error as Error).message}`)
  } finally {
    input.destroy()
    unzipped.destroy()
  }
}

async function* splitDocuments(chunks: Transform, path: string): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (rest.length - at >= 4) {
      const size = rest.readInt32LE(at)
      if (size < MIN_BSON || size > MAX_BSON) throw new CommandFailed(`${path} is no BSON.`)
      if (rest.length - at < size) break
      if (rest[at + size - 1] !== 0) throw new CommandFailed(`${path} is no BSON.`)
      yield rest.subarray(at, at + size)
      at += size
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new CommandFailed(`${path} is cut off.`)
}

/** Inserts documents. Those that are there already are left, so it may be repeated. */
export async function loadDocuments(
  db: Db,
  collection: string,
  documents: AsyncIterable<Uint8Array>,
  onDocuments: (count: number) => void,
): Promise<void> {
  let group: Uint8Array[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (group.length === 0) return
    await insertRaw(db, collection, Buffer.concat(group))
    onDocuments(group.length)
    group = []
    bytes = 0
  }
  for await (const document of documents) {
    if (group.length >= BATCH || bytes + document.length > BATCH_BYTES) await flush()
    // a copy: the buffer it lies in is reused
    group.push(Buffer.from(document))
    bytes += document.length
  }
  await flush()
}
