import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, readOrCreateCredentials } from './credentials.js'
import { killedWithParent, watchChild } from './parent-death.js'
import { inRoot, makeFolders, postgresUser } from './postgres.js'
import { postgresRoot, unavailablePostgresReason } from './postgres-root.js'
import { StackUnavailable } from './stack-unavailable.js'
import { builtFerretdb, startDatabase } from './start-database.js'

export interface CopyProgress {
  (doneKib: number, totalKib: number): void
}

const ARCHIVE = 'base.tar.gz'
const LOG_ARCHIVE = 'pg_wal.tar.gz'
/** Of gzip: higher levels cost several times the processor time and save little. */
const LEVEL = 1

/**
 * Copies the running PostgreSQL of a state folder by pg_basebackup: all databases as of one moment, the end of the
 * copy. It reads files and the log, so that no writer waits for it.
 * @param target an empty folder; it gets `base.tar.gz`, `pg_wal.tar.gz` and `backup_manifest`
 * @throws StackUnavailable with the reason of pg_basebackup
 */
export async function copyPostgres(
  source: { stateDir: string; port: number },
  target: string,
  onProgress: CopyProgress = () => undefined,
): Promise<void> {
  const place = { root: await rootIfAvailable(), stateDir: join(source.stateDir, 'postgres') }
  const { uid, gid } = postgresUser(place.root)
  chownSync(target, uid, gid)
  const { user } = readOrCreateCredentials(source.stateDir).postgres
  await runInRoot(
    place,
    [
      'pg_basebackup',
      ...['--pgdata=/media', '--format=tar', '--wal-method=stream', `--compress=client-gzip:${LEVEL}`],
      ...['--checkpoint=fast', '--manifest-checksums=SHA256', '--label=partsbus', '--progress', '--no-password'],
      ...['--host=/mnt/socket', `--port=${source.port}`, `--username=${user}`],
    ],
    { other: target, onErrorText: (text) => reportProgress(text, onProgress) },
  )
  const [ownUid, ownGid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  for (const path of [target, ...readdirSync(target).map((name) => join(target, name))]) chownSync(path, ownUid, ownGid)
}

/** Unpacks a copy into a state folder that has no database yet. @throws StackUnavailable when it has one */
export async function unpackPostgres(copy: string, stateDir: string): Promise<void> {
  const place = { root: await rootIfAvailable(), stateDir: join(stateDir, 'postgres') }
  const { uid, gid } = makeFolders(place)
  const data = join(place.stateDir, 'data')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, uid, gid)
  await unpack(place, join(copy, ARCHIVE), '/mnt/data')
  await unpack(place, join(copy, LOG_ARCHIVE), '/mnt/data/pg_wal')
}

/** The major version of the PostgreSQL in a state folder: no other one reads a copy of it. */
export function storedVersion(stateDir: string): string {
  return readFileSync(join(stateDir, 'postgres', 'data', 'PG_VERSION'), 'utf8').trim()
}

/** The major version that runs here. */
export async function availableVersion(): Promise<string> {
  return readdirSync(join(await rootIfAvailable(), 'usr/lib/postgresql'))[0] ?? 'none'
}

/**
 * Starts the database of a state folder without the bus and the services.
 * @param isPostgres the folder has a PostgreSQL: no other kind of server can read it
 */
export async function startDatabaseAlone(
  stateDir: string,
  isPostgres: boolean,
): Promise<{ url: string; stop(): Promise<void> }> {
  const logDir = join(stateDir, 'logs')
  makePrivateFolder(stateDir)
  makePrivateFolder(logDir)
  const credentials = readOrCreateCredentials(stateDir)
  const settings = { stateDir, logDir, credentials, log: () => undefined, events: {}, isDurable: true }
  const { url, processes, containers } = await (isPostgres ? builtFerretdb(settings) : startDatabase(settings, ''))
  return {
    url,
    stop: async () => {
      for (const each of processes.toReversed()) await each.stop()
      await Promise.all(containers.map((container) => container.stop()))
    },
  }
}

async function rootIfAvailable(): Promise<string> {
  const reason = unavailablePostgresReason()
  if (reason !== undefined) throw new StackUnavailable(`PostgreSQL with DocumentDB is not available: ${reason}.`)
  return postgresRoot(() => undefined)
}

async function unpack(place: { root: string; stateDir: string }, archive: string, folder: string): Promise<void> {
  const input = openSync(archive, 'r')
  try {
    await runInRoot(place, ['tar', '--extract', '--gzip', `--directory=${folder}`], { input })
  } finally {
    closeSync(input)
  }
}

/** pg_basebackup writes `12345/67890 kB (18%), 0/1 tablespace` again and again. */
function reportProgress(text: string, onProgress: CopyProgress): void {
  const [, done, total] = /\b(\d+)\/(\d+) kB/.exec(text) ?? []
  if (done !== undefined && total !== undefined) onProgress(Number(done), Number(total))
}

interface RunOptions {
  other?: string
  /** a file descriptor */
  input?: number
  onErrorText?: (text: string) => void
}

async function runInRoot(
  place: { root: string; stateDir: string },
  command: readonly string[],
  { other = '', input, onErrorText }: RunOptions = {},
): Promise<{ stdout: string }> {
  const line = killedWithParent(inRoot(place, command, other), 'QUIT')
  const child: ChildProcess = spawn(line.command, line.args, {
    detached: true,
    stdio: [input ?? 'ignore', 'pipe', 'pipe'],
  })
  watchChild(child)
  let [stdout, errors] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    onErrorText?.(text)
    errors = (errors + text).slice(-4_000)
  })
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`))
  })
  if (failure === undefined) return { stdout }
  const reason = errors.split(/[\r\n]+/).filter((text) => text.trim() !== '' && !/ kB \(/.test(text))
  throw new StackUnavailable(`${command[0]}: ${failure}: ${reason.slice(-3).join(' ')}`)
}
