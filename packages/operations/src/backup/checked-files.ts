import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ListedFile } from './manifest.js'

/** Writes a file and syncs it. @returns its size and hash as they were written */
export async function writeChecked(
  root: string,
  path: string,
  source: Readable | AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ...through: Transform[]
): Promise<ListedFile> {
  const target = join(root, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const { hash, counter } = countBytes()
  // a file is written once: one that is there is not of this run
  const stages = [source, ...through, counter.stream, createWriteStream(target, { flags: 'wx', mode: 0o600 })]
  await pipeline(stages as [Readable, Transform])
  await sync(target)
  return { path, bytes: counter.bytes, sha256: hash.digest('hex') }
}

/** Size and hash of a file as it is read back. */
export async function readChecked(root: string, path: string): Promise<ListedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(join(root, path), { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

function countBytes(): { hash: Hash; counter: { bytes: number; stream: Transform } } {
  const hash = createHash('sha256')
  const counter = {
    bytes: 0,
    stream: new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        counter.bytes += chunk.length
        done(null, chunk)
      },
    }),
  }
  return { hash, counter }
}

/** Files below a folder, relative to it, in the order of their names; none when the folder is missing. */
export async function* walk(root: string, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* walk(root, path)
    else if (entry.isFile()) yield path
  }
}

/** Syncs a file or a folder. */
export async function sync(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Syncs a folder and those below it, so that the names of their files survive a crash. */
export async function syncFolders(root: string): Promise<void> {
  for (const entry of await readdir(root, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(root, entry.name))
  await sync(root)
}
