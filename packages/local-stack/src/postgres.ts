import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Credentials, scramVerifier } from './credentials.ts'
import type { CommandLine } from './parent-death.ts'
import { runStep } from './run-step.ts'
import { signalProcess } from './signal-process.ts'
import type { ProcessPlan } from './supervised-process.ts'
import { waitUntil } from './wait-until.ts'

/** FerretDB has a large pool: 120 parallel operations failed with "too many clients" at PostgreSQL's default of 100. */
const MAX_CONNECTIONS = 300

/**
 * The postgres user cannot enter a folder under a home of root, so the state folder is mounted at /mnt of the root, in
 * a mount namespace that ends with the process.
 */
const IN_ROOT = `
root=$1 state=$2; shift 2
mount --bind "$state" "$root/mnt"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec chroot "$root" setpriv --reuid=postgres --regid=postgres --init-groups --pdeathsig QUIT \
  env -i PATH=/usr/lib/postgresql/18/bin:/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/mnt "$@"
`

export interface PostgresPlace {
  /** The Debian root with PostgreSQL in it. */
  root: string
  /** The folder for the data. */
  stateDir: string
  port: number
  superuser: Credentials
  /** A role of the DocumentDB extension: the account of FerretDB's clients. */
  client: Credentials
  isDurable: boolean
}

/**
 * Over TCP with a password only. The socket lies in a folder of the postgres user; the jobs of pg_cron come through it.
 */
const HOST_BASED_AUTHENTICATION = `
local all postgres peer
host all all 127.0.0.1/32 scram-sha-256
`

/** Creates the database if it does not exist, and refuses connections without a password from now on. */
export async function preparePostgres(place: PostgresPlace): Promise<void> {
  const owner = makeFolders(place)
  const data = join(place.stateDir, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) {
    rmSync(join(place.stateDir, 'initializing'), { recursive: true, force: true })
    const access = ['--auth-local=peer', '--auth-host=reject']
    await run(place, ['initdb', '-D', '/mnt/initializing', '-U', place.superuser.user, ...access, '-E', 'UTF8'])
    renameSync(join(place.stateDir, 'initializing'), data)
  }
  const file = join(data, 'pg_hba.conf')
  writeFileSync(file, HOST_BASED_AUTHENTICATION, { mode: 0o600 })
  chownSync(file, owner.uid, owner.gid)
}

/** PostgreSQL on loopback. Durable, as it is by default, it loses no acknowledged write in a crash. */
export function postgresPlan(place: PostgresPlace, logFile: string): ProcessPlan {
  const settings = {
    port: place.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '/mnt/socket',
    unix_socket_permissions: '0700',
    max_connections: MAX_CONNECTIONS,
    // writers that conflict on one value of a unique index deadlock again and again: ten of them took 20 s with the
    // default of 1 s
    deadlock_timeout: '50ms',
    shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb',
    'cron.database_name': 'postgres',
    'cron.host': '/mnt/socket',
    // its jobs run twice a second, and each would add lines to the log and a row that nobody deletes
    'cron.log_run': 'off',
    'cron.log_statement': 'off',
    'documentdb.localhost_connection_string': 'host=/mnt/socket',
    // a smaller log (inserts of 5,000 rows: 51-55 before, 70-80 thousand rows a second), cheap compression, memory for
    // indexes
    wal_compression: 'lz4',
    default_toast_compression: 'lz4',
    shared_buffers: '256MB',
    ...(!place.isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const line = inRoot(place, [
    'postgres',
    '-D',
    '/mnt/data',
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ])
  return {
    name: 'postgres',
    ...line,
    port: place.port,
    logFile,
    prepare: () => removeStalePid(place),
    isReady: () => completeDatabase(place),
    // after a crash or a restore it replays its log first
    readyWithinMs: 600_000,
    stopSignal: 'SIGINT',
    stopWithinMs: 5_000,
    deathSignal: 'QUIT',
  }
}

/**
 * The extension and the accounts. Succeeds when the server answers, so it is also the readiness check. Jobs of pg_cron
 * remember the port at which they were created, which is another one at each start.
 */
async function completeDatabase(place: PostgresPlace): Promise<boolean> {
  const { superuser, client } = place
  const statements = [
    'CREATE EXTENSION IF NOT EXISTS documentdb CASCADE',
    `UPDATE cron.job SET nodename = '/mnt/socket', nodeport = ${place.port}`,
    `DO $$ BEGIN IF to_regrole('${client.user}') IS NULL THEN CREATE ROLE ${client.user}; END IF; END $$`,
    `GRANT documentdb_admin_role TO ${client.user}`,
    `ALTER ROLE ${client.user} LOGIN PASSWORD '${scramVerifier(client.password)}'`,
    `ALTER ROLE ${superuser.user} PASSWORD '${scramVerifier(superuser.password)}'`,
  ]
  const connection = ['-U', superuser.user, '-h', '/mnt/socket', '-p', String(place.port)]
  await run(place, [
    ...['psql', '-q', '-v', 'ON_ERROR_STOP=1', ...connection],
    ...statements.flatMap((statement) => ['-c', statement]),
  ])
  return true
}

/**
 * After a crash the pid in postmaster.pid may belong to another process, and PostgreSQL would refuse to start. A
 * process that does run on this data is an orphan about to end, so it is waited for.
 */
async function removeStalePid(place: PostgresPlace): Promise<void> {
  const file = join(place.stateDir, 'data', 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const gone = await waitUntil(() => !worksIn(pid, join(place.stateDir, 'data')), { withinMs: 15_000 })
  if (!gone) signalProcess(pid, 'SIGQUIT')
  await waitUntil(() => !worksIn(pid, join(place.stateDir, 'data')), { withinMs: 10_000 })
  rmSync(file, { force: true })
}

/** True when the folder is the working directory of the process, under whatever path. */
function worksIn(pid: number, folder: string): boolean {
  try {
    readlinkSync(`/proc/${pid}/cwd`)
    const [seen, meant] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    return seen.dev === meant.dev && seen.ino === meant.ino
  } catch {
    return false
  }
}

/** The postgres user of the Debian root. */
function postgresUser(root: string): { uid: number; gid: number } {
  const user = readFileSync(join(root, 'etc/passwd'), 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m)
  return { uid: Number(user?.[1]), gid: Number(user?.[2]) }
}

function makeFolders(place: Pick<PostgresPlace, 'root' | 'stateDir'>): { uid: number; gid: number } {
  const { uid, gid } = postgresUser(place.root)
  for (const folder of [place.stateDir, join(place.stateDir, 'socket')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chownSync(folder, uid, gid)
  }
  return { uid, gid }
}

function run(place: PostgresPlace, command: string[]): Promise<string> {
  const line = inRoot(place, command)
  return runStep(line.command, line.args)
}

function inRoot(place: Pick<PostgresPlace, 'root' | 'stateDir'>, command: readonly string[]): CommandLine {
  return {
    command: 'unshare',
    args: [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-ec',
      IN_ROOT,
      'in-root',
      place.root,
      place.stateDir,
      ...command,
    ],
  }
}
