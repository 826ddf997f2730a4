import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { loadDocuments } from '@partsbus/platform/backup/copy-documents'
import { listRunning, nameServices } from '@partsbus/platform/backup/list-running'
import {
  emptyDatabases,
  findData,
  finishRestore,
  readMark,
  readUsedIds,
  removeMarks,
  type UsedIds,
} from '@partsbus/platform/backup/restore-databases'
import { type Databases, withDatabases } from './open-databases.js'
import { CommandFailed, UsageError } from '@partsbus/cli/exit-codes'
import type { BusAddress } from '../open-servers.js'
import type { Terminal } from '@partsbus/cli/terminal/terminal'
import { sync } from './checked-files.js'
import { documentsPath, readDump } from './documents.js'
import { startDatabaseAlone, stateFolderUser } from './local-server.js'
import { countDocuments, fingerprintKeys, type Manifest } from './manifest.js'
import { assertMayReplay, findMongoToolOrThrow, runMongoTool, withoutUsers } from './mongo-tools.js'
import { purgeBus } from './purge-bus.js'
import { assertFoldersNamed, type FileFolders, restoreStoredFiles } from './stored-files.js'

export interface RestoreRequest {
  backup: string
  manifest: Manifest
  env: NodeJS.ProcessEnv
  /** deletes data that is there */
  isReplacing: boolean
  /** the key that the restored installation will have */
  secretsKey: string | undefined
  terminal: Terminal
}

export interface Restored {
  documents: number
  files: number
  /** of the bus; undefined when no bus was named */
  purged: string[] | undefined
}

/** @throws UsageError when sealed passwords of the backup could not be opened with the key */
export function assertKeyMatches({ secrets_key }: Manifest, key: string | undefined): void {
  if (secrets_key === null || key === undefined || fingerprintKeys(key).includes(secrets_key)) return
  throw new UsageError(
    'SECRETS_KEY lacks the key of the backup: stored passwords could not be opened. Set that key, or add it.',
  )
}

/** Restores into the servers of an installation whose services are stopped. It may be repeated. */
export async function restoreIntoServers(
  request: RestoreRequest,
  { databases, url, bus, folders }: Servers,
): Promise<Restored> {
  const { backup, manifest, isReplacing, terminal, env } = request
  // everything that would fail later, before --replace deletes anything
  if (manifest.method === 'mongodump') {
    if (url === '') throw new UsageError('mongorestore needs one server for all databases. Set MONGODB_URL.')
    findMongoToolOrThrow('mongorestore', env)
    await assertMayReplay(databases)
  }
  await assertFoldersNamed(backup, folders)
  await beginRestore(databases, manifest, isReplacing)
  if (manifest.method === 'mongodump') {
    await withoutUsers(join(backup, 'database'), (folder) => {
      const args = ['--drop', '--oplogReplay', '--gzip', `--dir=${folder}`]
      return runMongoTool('mongorestore', { url, args, env }, (line) => terminal.note(line))
    })
  } else await loadDump(request, databases)
  const files = await restoreStoredFiles(backup, folders, (count) => terminal.progress(count, 0, 'files'))
  await finishRestore(databases, manifest, await readUsedIds(databases))
  const purged = bus && (await purgeBus(bus))
  await removeMarks(databases)
  return { documents: countDocuments(manifest), files, purged }
}

/**
 * Prepares databases for a restore and marks each as begun. A restore of the same backup that was interrupted goes on.
 * The marks keep the counters of what is deleted, and keep services from starting.
 * @throws CommandFailed when services run, or when there is data and `isReplacing` is false
 */
export async function beginRestore(databases: Databases, { id }: Manifest, isReplacing: boolean): Promise<void> {
  const running = await listRunning(databases)
  if (running.length > 0)
    throw new CommandFailed(`The services are running: ${nameServices(running)}. Stop them, and the bus, first.`)
  const marks = await Promise.all([...databases.values()].map(readMark))
  if (marks.every((mark) => mark?.backup === id && mark.is_emptied)) return
  const begun = marks.filter((mark) => mark !== undefined)
  const isOurs = begun.length > 0 && begun.every(({ backup }) => backup === id)
  const found = begun.length > 0 && !isOurs ? ['an unfinished restore of another backup'] : await findData(databases)
  if (found.length > 0 && !isReplacing)
    throw new CommandFailed(`The installation has data: ${found.join(', ')}. --replace deletes it first.`)
  await emptyDatabases(databases, id)
}

interface Servers {
  databases: Databases
  url: string
  bus: BusAddress | undefined
  folders: FileFolders
}

/*
 * A state folder is restored as `FOLDER.restoring` and renamed at the end, so an interrupted restore leaves nothing
 * that `npm start` could run, and another one begins anew.
 */
export async function restoreIntoFolder(request: RestoreRequest, target: string): Promise<Restored> {
  const folder = resolve(target)
  const { backup, manifest, isReplacing, terminal, secretsKey } = request
  const user = stateFolderUser(folder)
  if (user !== undefined) throw new CommandFailed(`${folder} is in use by process ${user}. Stop it first.`)
  const isTaken = existsSync(folder) && (await readdir(folder)).length > 0
  if (isTaken && !isReplacing) throw new CommandFailed(`${folder} is not empty. --replace moves it aside first.`)
  if (manifest.method === 'mongodump')
    throw new UsageError('This backup is of a replica set. Set MONGODB_URL to one, and restore without --to.')
  const draft = `${folder}.restoring`
  const folders: FileFolders = [['price-files', join(draft, 'files')], ...storageOf(request)]
  // everything that would fail later, before anything is deleted
  await assertFoldersNamed(backup, folders)
  const used: UsedIds = isTaken ? await readUsedIdsOf(folder, terminal) : new Map()
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const files = await restoreStoredFiles(backup, folders, (count) => terminal.progress(count, 0, 'files'))
  await withDatabasesOf(draft, async (databases) => {
    await loadDump(request, databases)
    await finishRestore(databases, manifest, used)
  })
  const key = secretsKey ?? (await readFile(join(backup, 'secrets-key'), 'utf8').catch(() => undefined))
  if (key !== undefined) await writeFile(join(draft, 'secrets-key'), `${key.trim()}\n`, { mode: 0o600 })
  if (isTaken) await rename(folder, `${folder}.replaced-${Date.now()}`)
  await rename(draft, folder)
  await sync(dirname(folder))
  return { documents: countDocuments(manifest), files, purged: [] }
}

/** Of a state folder that is moved aside. It may be damaged, so a restore goes on without them. */
async function readUsedIdsOf(folder: string, terminal: Terminal): Promise<UsedIds> {
  try {
    return await withDatabasesOf(folder, readUsedIds)
  } catch (error) {
    terminal.note(
      `The database of ${folder} does not start, so the ids that it has allocated are not known: ` +
        `${(error as Error).message}`,
    )
    return new Map()
  }
}

async function withDatabasesOf<T>(folder: string, work: (databases: Databases) => Promise<T>): Promise<T> {
  const server = await startDatabaseAlone(folder)
  try {
    return await withDatabases({}, server.url, work)
  } finally {
    await server.stop()
  }
}

function storageOf({ env }: RestoreRequest): FileFolders {
  return env.STORAGE_PATH ? [['storage', env.STORAGE_PATH]] : []
}

async function loadDump({ backup, manifest, terminal }: RestoreRequest, databases: Databases): Promise<void> {
  const total = countDocuments(manifest)
  let done = 0
  // the settings, with their open APIs and tokens, come last: half a restore serves nobody
  for (const { service, name, collections } of manifest.databases.toReversed()) {
    const database = databases.get(service)
    if (!database) throw new CommandFailed(`The database of ${service} is not named.`)
    for (const collection of Object.keys(collections))
      await loadDocuments(database, collection, readDump(backup, documentsPath(name, collection)), (count) => {
        done += count
        terminal.progress(done, total, 'documents')
      })
  }
  terminal.endProgress()
}
