import { join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'
import { mongoAnswers } from './answers.ts'
import type { Log } from './build-cache.ts'
import { type Credentials, makePrivateFolder, type StackCredentials, urlWithCredentials } from './credentials.ts'
import { ferretdbPlan } from './ferretdb.ts'
import { unavailableDockerReason } from './docker-daemon.ts'
import { findProgram } from './find-program.ts'
import { findFreePort } from './free-port.ts'
import { waitForExternalServer } from './external-server.ts'
import { builtProgram, FERRETDB, unavailableProgramReason } from './go-programs.ts'
import { postgresPlan, preparePostgres } from './postgres.ts'
import { postgresRoot, unavailablePostgresReason } from './postgres-root.ts'
import { StackUnavailable } from './stack-unavailable.ts'
import { SupervisedProcess, type ProcessEvents } from './supervised-process.ts'
import { waitUntil } from './wait-until.ts'
import { startFirstAvailable, type Attempt, type Provider } from './server-providers.ts'

export interface StartedServer {
  url: string
  /** In the order of their start; stopped in reverse order. */
  processes: SupervisedProcess[]
  containers: StartedTestContainer[]
}

export interface ServerSettings {
  stateDir: string
  logDir: string
  credentials: StackCredentials
  log: Log
  events: ProcessEvents
  isDurable: boolean
  /** Resolves when packages can be imported. */
  packages: Promise<void>
}

const ADVICE =
  'Start Docker, install MongoDB (mongod on PATH), or set MONGODB_URL. On Debian, Go and root are sufficient.'

/** A MongoDB: `MONGODB_URL`, else Docker, else mongod on PATH, else a build of FerretDB in the user's cache. */
export async function startDatabase(
  settings: ServerSettings,
  url: string | undefined,
): Promise<StartedServer & { how: Provider }> {
  const attempts: Attempt<StartedServer>[] = [
    {
      provider: 'external',
      what: 'MONGODB_URL',
      unavailableReason: () => (url ? undefined : 'not set'),
      start: async () => {
        await waitForExternalServer('MONGODB_URL', url ?? '', 27_017)
        return { url: url ?? '', processes: [], containers: [] }
      },
    },
    {
      provider: 'docker',
      what: 'mongo:8.0 in Docker',
      unavailableReason: () => unavailableDockerReason(settings.packages),
      start: () => mongoInDocker(settings),
    },
    {
      provider: 'path',
      what: 'mongod on PATH',
      unavailableReason: () => (findProgram('mongod') === undefined ? 'not found' : undefined),
      start: () => mongodOnPath(settings),
    },
    {
      provider: 'built',
      what: 'FerretDB on PostgreSQL',
      unavailableReason: () => unavailablePostgresReason() ?? unavailableProgramReason(FERRETDB),
      start: () => builtFerretdb(settings),
    },
  ]
  return startFirstAvailable('MongoDB', attempts, ADVICE, settings.log)
}

async function mongoInDocker({ stateDir, credentials }: ServerSettings): Promise<StartedServer> {
  const { startInDocker } = await import('./docker.ts')
  const hostPort = await findFreePort()
  const data = join(stateDir, 'mongodb')
  makePrivateFolder(data)
  const container = await startInDocker({
    image: 'mongo:8.0',
    containerPort: 27_017,
    hostPort,
    command: ['--auth'],
    data: { source: data, target: '/data/db' },
  })
  const isUp = await waitUntil(() => mongoAnswers(hostPort, container.getHost()), { withinMs: 60_000 })
  if (!isUp) {
    await container.stop()
    throw new StackUnavailable('the container started, but its server does not answer')
  }
  await createFirstUser(container, credentials.mongodb)
  const url = urlWithCredentials('mongodb', credentials.mongodb, container.getHost(), hostPort)
  return { url, processes: [], containers: [container] }
}

/**
 * Until the first user exists, mongod lets a client of the same machine create it; after that the command is refused.
 */
async function createFirstUser(container: StartedTestContainer, { user, password }: Credentials): Promise<void> {
  const script =
    "db.getSiblingDB('admin').createUser" +
    "({user: process.env.FIRST_USER, pwd: process.env.FIRST_PASSWORD, roles: ['root']})"
  const env = { FIRST_USER: user, FIRST_PASSWORD: password }
  const { exitCode, output } = await container.exec(['mongosh', '--quiet', '--eval', script], { env })
  if (exitCode !== 0 && !/requires authentication|Unauthorized|not authorized/.test(output))
    throw new StackUnavailable(`the user of the database was not created: ${output.trim().slice(-300)}`)
}

async function mongodOnPath(settings: ServerSettings): Promise<StartedServer> {
  const { stateDir, logDir, events, credentials, packages } = settings
  await packages
  const { mongodPlan } = await import('./mongod.ts')
  const port = await findFreePort()
  const client = credentials.mongodb
  const place = { program: findProgram('mongod') ?? 'mongod', stateDir: join(stateDir, 'mongodb'), port, client }
  const mongod = new SupervisedProcess(mongodPlan(place, join(logDir, 'mongod.log')), events)
  await mongod.start()
  const url = urlWithCredentials('mongodb', client, '127.0.0.1', port)
  return { url, processes: [mongod], containers: [] }
}

/** FerretDB on PostgreSQL, from the user's cache. */
export async function builtFerretdb(server: ServerSettings): Promise<StartedServer> {
  const { stateDir, logDir, log, events, credentials, isDurable } = server
  const [root, program] = await Promise.all([postgresRoot(log), builtProgram(FERRETDB, log)])
  const postgresPort = await findFreePort()
  const { mongodb: client, postgres: superuser } = credentials
  const place = { root, stateDir: join(stateDir, 'postgres'), port: postgresPort, superuser, client, isDurable }
  await preparePostgres(place)
  const postgres = new SupervisedProcess(postgresPlan(place, join(logDir, 'postgres.log')), events)
  await postgres.start()
  const port = await findFreePort()
  const ferretdb = new SupervisedProcess(
    ferretdbPlan(
      { program, stateDir: join(stateDir, 'ferretdb'), port, postgres: place },
      join(logDir, 'ferretdb.log'),
    ),
    events,
  )
  try {
    await ferretdb.start()
  } catch (error) {
    await postgres.stop()
    throw error
  }
  const url = urlWithCredentials('mongodb', client, '127.0.0.1', port)
  return { url, processes: [postgres, ferretdb], containers: [] }
}
