import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { StoredDatabase } from '@partsbus/platform/backup/backup-plan'
import { BATCH, readDocuments } from '@partsbus/platform/backup/copy-documents'
import { CommandFailed } from '@partsbus/cli/exit-codes'
import { writeChecked } from './checked-files.js'
import type { ListedFile } from './manifest.js'

/** Of unpacked bytes: a large document is put together from few. */
const CHUNK_BYTES = 1024 * 1024
const MIN_BSON = 5
const MAX_BSON = 17 * 1024 * 1024
/** Higher levels cost several times the processor time and save little. */
const GZIP_LEVEL = 1

/** As mongodump names them: documents in BSON, one behind the other. */
export const documentsPath = (database: string, collection: string): string =>
  `database/${database}/${encodeURIComponent(collection)}.bson.gz`

/** Writes the documents of a collection as they are stored. @returns the file and the number of documents */
export async function dumpCollection(
  database: StoredDatabase,
  collection: string,
  backup: string,
  onDocuments: (count: number) => void,
): Promise<{ file: ListedFile; documents: number }> {
  let documents = 0
  async function* read(): AsyncGenerator<Uint8Array> {
    let group: Uint8Array[] = []
    for await (const document of readDocuments(database, collection)) {
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
  const path = documentsPath(database.db.databaseName, collection)
  const file = await writeChecked(backup, path, read(), createGzip({ level: GZIP_LEVEL }))
  return { file, documents }
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
