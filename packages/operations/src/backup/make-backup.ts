import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { AdminClient } from '@partsbus/client/admin-client'
import { LATEST_BACKUP } from '@partsbus/contracts/administration/latest-times'
import { LATEST_TIMES, writeLatestTime } from '@partsbus/platform/mongo/latest-time'
import { buildInfo } from '@partsbus/platform/process/build-info'
import { UsageError } from '@partsbus/cli/exit-codes'
import type { Databases } from './open-databases.js'
import type { Terminal } from '@partsbus/cli/terminal/terminal'
import { createBackupFolder } from './backup-folder.js'
import { readChecked, walk, writeChecked } from './checked-files.js'
import { readDump } from './documents.js'
import { describeDatabases, dumpDatabases } from './dump-databases.js'
import { fingerprintKeys, type ListedFile, type Manifest, type Method } from './manifest.js'
import { assertNoOthers, runMongoTool } from './mongo-tools.js'
import { withoutWrites } from './pause-writes.js'
import { assertFoldersPresent, copyStoredFiles, describeStorage, fileFolders } from './stored-files.js'

export interface BackupSource {
  env: NodeJS.ProcessEnv
  method: Method
  databases: Databases
  /** of the server, for mongodump */
  url: string
  admin: AdminClient | undefined
  secretsKey: string | undefined
  /** whether the key is put into the backup */
  isKeyIncluded: boolean
  /** longest time to wait for imports that have started */
  waitMs: number
}

interface CopiedDatabases {
  server: string
  moment: Manifest['moment']
  databases: Manifest['databases']
  areCountsExact: boolean
  files: ListedFile[]
}

/** Makes a backup. Nothing has the name of the target until it is complete. */
export async function makeBackup(source: BackupSource, target: string, terminal: Terminal): Promise<Manifest> {
  const startedAt = new Date().toISOString()
  const storage = await describeStorage(source.env)
  const folders = fileFolders(source.env)
  assertFoldersPresent(folders)
  const draft = await createBackupFolder(target)
  try {
    const copied = await COPY[source.method](source, draft.path, terminal)
    terminal.endProgress()
    const { list, ...stored } = await copyStoredFiles(folders, draft.path, (count) =>
      terminal.progress(count, 0, 'files'),
    )
    terminal.endProgress()
    const key = source.isKeyIncluded && source.secretsKey !== undefined ? [Buffer.from(`${source.secretsKey}\n`)] : []
    const keyFiles = key.length > 0 ? [await writeChecked(draft.path, 'secrets-key', key)] : []
    const manifest: Manifest = {
      format: 1,
      id: randomUUID(),
      product: buildInfo,
      method: source.method,
      server: copied.server,
      started_at: startedAt,
      finished_at: new Date().toISOString(),
      moment: copied.moment,
      databases: copied.databases,
      are_counts_exact: copied.areCountsExact,
      storage: { ...storage, files: stored },
      secrets_key: source.secretsKey === undefined ? null : (fingerprintKeys(source.secretsKey)[0] ?? null),
      files: [...copied.files, list, ...keyFiles],
    }
    await draft.complete(manifest)
    await recordBackup(source.databases, manifest, terminal)
    return manifest
  } catch (error) {
    await draft.discard()
    throw error
  }
}

/** For the metric of the administration service. The backup is complete without it. */
async function recordBackup(databases: Databases, { moment }: Manifest, terminal: Terminal): Promise<void> {
  const db = databases.get('administration')?.db
  if (!db) return
  await writeLatestTime(db, LATEST_BACKUP, new Date(moment.until)).catch((error: Error) =>
    terminal.note(
      `The backup is complete, but backup_latest_timestamp_seconds does not show it: ${error.message}. ` +
        `The user must be allowed to write the collection ${LATEST_TIMES} of ${db.databaseName}.`,
    ),
  )
}

type Copy = (source: BackupSource, folder: string, terminal: Terminal) => Promise<CopiedDatabases>

const COPY: Record<Method, Copy> = { mongodump: runMongodump, dump: dumpPaused }

async function dumpPaused(source: BackupSource, folder: string, terminal: Terminal): Promise<CopiedDatabases> {
  const { databases } = source
  const server = await describeServer(databases)
  return withoutWrites(source, async (signal) => {
    const from = new Date().toISOString()
    const onProgress = (done: number, total: number): void => terminal.progress(done, total, 'documents')
    const dumped = await dumpDatabases(databases, folder, { signal, onProgress })
    return { ...dumped, server, moment: { from, until: new Date().toISOString() }, areCountsExact: true }
  })
}

async function runMongodump(
  { databases, url, env }: BackupSource,
  folder: string,
  terminal: Terminal,
): Promise<CopiedDatabases> {
  if (url === '') throw new UsageError('mongodump needs one server for all databases. Set MONGODB_URL.')
  const server = await describeServer(databases)
  const own = [...databases.values()].map(({ db }) => db)
  const listed = await own[0]?.admin().listDatabases({ nameOnly: true })
  assertNoOthers(
    (listed?.databases ?? []).map(({ name }) => name),
    own.map(({ databaseName }) => databaseName),
  )
  const from = new Date().toISOString()
  const args = ['--oplog', '--gzip', `--out=${join(folder, 'database')}`]
  await runMongoTool('mongodump', { url, args, env }, (line) => terminal.note(line))
  const until = new Date().toISOString()
  const described = await describeDatabases(databases)
  for (const { name, collections } of described)
    for (const collection of Object.keys(collections))
      collections[collection] = await countDumped(folder, `database/${name}/${encodeURIComponent(collection)}.bson.gz`)
  const files = await listFiles(folder, 'database')
  return { server, moment: { from, until }, databases: described, areCountsExact: false, files }
}

async function countDumped(folder: string, path: string): Promise<number> {
  let count = 0
  for await (const _document of readDump(folder, path)) count += 1
  return count
}

async function describeServer(databases: Databases): Promise<string> {
  const [database] = databases.values()
  const { version } = (await database?.db.admin().command({ buildInfo: 1 })) ?? {}
  return `MongoDB ${String(version)}`
}

async function listFiles(folder: string, below: string): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  for await (const path of walk(folder, below)) files.push(await readChecked(folder, path))
  return files
}
