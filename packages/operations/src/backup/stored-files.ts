import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileStoreConfig } from '@partsbus/file-store/config'
import { S3Driver } from '@partsbus/file-store/s3-driver'
import { readConfig } from '@partsbus/platform/process/config'
import { CommandFailed } from '@partsbus/cli/exit-codes'
import { readChecked, syncFolders, walk, writeChecked } from './checked-files.js'
import { type ListedFile, type Manifest, parseListedFile, STORED_FILES } from './manifest.js'

/** Where stored files are: the folder in the backup, and that of the installation. */
export type FileFolders = ReadonlyArray<readonly [name: string, path: string]>

/** A file is complete under its name; these are being written, or were when their process was killed. */
const DRAFT = /\.new$|\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** Files that are copied at once: each waits for the disk at its end. */
const AT_ONCE = 16

/** `STORAGE_PATH` for the driver `fs`, and `FILES_PATH` where price-list files have a folder of their own. */
export function fileFolders({ STORAGE_PATH, FILES_PATH }: NodeJS.ProcessEnv): FileFolders {
  const named = [
    ['storage', STORAGE_PATH],
    ['price-files', FILES_PATH],
  ] as const
  return named.flatMap(([name, path]) => (path ? [[name, path] as const] : []))
}

/** @throws CommandFailed for a folder that is not there, such as a volume that is not mounted */
export function assertFoldersPresent(folders: FileFolders): void {
  for (const [name, path] of folders)
    if (!existsSync(path)) throw new CommandFailed(`${variableOf(name)} names ${path}, which does not exist.`)
}

/** @throws CommandFailed when the backup has files of a folder that is not named */
export async function assertFoldersNamed(backup: string, folders: FileFolders): Promise<void> {
  const named = new Set(folders.map(([name]) => name))
  for await (const { path } of readStoredFiles(backup)) {
    const [, name = ''] = path.split('/')
    if (!named.has(name)) throw new CommandFailed(`The backup has files of ${name}. Set ${variableOf(name)}.`)
  }
}

function variableOf(folder: string): string {
  return folder === 'storage' ? 'STORAGE_PATH' : 'FILES_PATH'
}

/** The driver of new files, and the number of objects in the bucket where one is named. */
export async function describeStorage(env: NodeJS.ProcessEnv): Promise<Omit<Manifest['storage'], 'files'>> {
  const config = readConfig(fileStoreConfig, env)
  const { STORAGE_DRIVER: driver = 'gridfs', S3_BUCKET: bucket } = config
  return { driver, objects: bucket === undefined ? null : await new S3Driver(config, bucket, config.S3_PREFIX).count() }
}

/**
 * Copies the files into the backup. It comes after the databases: the record of a file is written before its first
 * byte and removed after its last, so a later copy has what an earlier database needs. A file that is deleted meanwhile
 * belonged to an import past its retention, or to a price list that an administrator has deleted.
 */
export async function copyStoredFiles(
  folders: FileFolders,
  backup: string,
  onCopied: (count: number) => void,
): Promise<{ count: number; bytes: number; list: ListedFile }> {
  const total = { count: 0, bytes: 0 }
  async function* copyAll(): AsyncGenerator<Buffer> {
    for (const [name, folder] of folders)
      for await (const paths of inGroups(walk(folder))) {
        const copied = await Promise.all(
          paths.map((path) => copyIfPresent(folder, path, backup, `files/${name}/${path}`)),
        )
        for (const file of copied) {
          if (!file) continue
          total.count += 1
          total.bytes += file.bytes
          yield Buffer.from(`${JSON.stringify(file)}\n`)
        }
        onCopied(total.count)
      }
  }
  const list = await writeChecked(backup, STORED_FILES, copyAll())
  return { ...total, list }
}

async function* inGroups(paths: AsyncIterable<string>): AsyncGenerator<string[]> {
  let group: string[] = []
  for await (const path of paths) {
    if (!DRAFT.test(path)) group.push(path)
    if (group.length < AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

async function copyIfPresent(
  folder: string,
  path: string,
  backup: string,
  target: string,
): Promise<ListedFile | undefined> {
  try {
    return await writeChecked(backup, target, createReadStream(join(folder, path)))
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || syscall !== 'open') throw error
    await rm(join(backup, target), { force: true })
    return undefined
  }
}

/** The files that `files.ndjson` lists. @throws CommandFailed for a damaged line */
export async function* readStoredFiles(backup: string): AsyncGenerator<ListedFile> {
  const input = createReadStream(join(backup, STORED_FILES), 'utf8')
  let number = 0
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number += 1
      yield parseListedFile(line, number)
    }
  } finally {
    input.destroy()
  }
}

/**
 * Puts the files of a backup back and deletes none: a file that is there already is compared, and left as it is.
 * @throws CommandFailed when the backup has files of a folder that is not named, or a file differs
 */
export async function restoreStoredFiles(
  backup: string,
  folders: FileFolders,
  onRestored: (count: number) => void,
): Promise<number> {
  const targets = new Map(folders)
  let count = 0
  for await (const file of readStoredFiles(backup)) {
    const [, name = '', ...rest] = file.path.split('/')
    const folder = targets.get(name)
    if (folder === undefined) throw new CommandFailed(`The backup has files of ${name}. Set ${variableOf(name)}.`)
    await restoreFile(join(backup, file.path), folder, rest.join('/'), file)
    count += 1
    onRestored(count)
  }
  for (const [, folder] of count > 0 ? folders : []) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await syncFolders(folder)
  }
  return count
}

async function restoreFile(source: string, folder: string, path: string, { sha256, bytes }: ListedFile): Promise<void> {
  const present = await readChecked(folder, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (present?.sha256 === sha256 && present.bytes === bytes) return
  if (present) throw new CommandFailed(`${join(folder, path)} is there and differs from the backup.`)
  // complete under its name only
  const draft = `${path}.new`
  await rm(join(folder, draft), { force: true })
  await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
  const written = await writeChecked(folder, draft, createReadStream(source))
  if (written.sha256 !== sha256) throw new CommandFailed(`${source} has changed while it was read.`)
  await rename(join(folder, draft), join(folder, path))
}
