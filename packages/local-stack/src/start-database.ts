import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'
import { mongoAnswers } from './answers.js'
import type { Log } from './build-cache.js'
import { ferretdbPlan } from './ferretdb.js'
import { findProgram } from './find-program.js'
import { findFreePort } from './free-port.js'
import { waitForExternalServer } from './external-server.js'
import { builtProgram, FERRETDB, unavailableProgramReason } from './go-programs.js'
import { mongodPlan } from './mongod.js'
import { postgresPlan, preparePostgres } from './postgres.js'
import { postgresRoot, unavailablePostgresReason } from './postgres-root.js'
import { StackUnavailable } from './stack-unavailable.js'
import { SupervisedProcess, type ProcessEvents } from './supervised-process.js'
import { waitUntil } from './wait-until.js'
import { startFirstAvailable, type Attempt, type Provider } from './server-providers.js'

export interface StartedServer {
  url: string
  /** In the order of their start; stopped in reverse order. */
  processes: SupervisedProcess[]
  containers: StartedTestContainer[]
}

export interface ServerSettings {
  stateDir: string
  logDir: string
  log: Log
  events: ProcessEvents
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
      what: 'mongo:8 in Docker',
      unavailableReason: async () => (await import('./docker.js')).unavailableDockerReason(),
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

async function mongoInDocker({ stateDir }: ServerSettings): Promise<StartedServer> {
  const { startInDocker } = await import('./docker.js')
  const hostPort = await findFreePort()
  const data = join(stateDir, 'mongodb')
  mkdirSync(data, { recursive: true })
  const container = await startInDocker({
    image: 'mongo:8',
    containerPort: 27_017,
    hostPort,
    data: { source: data, target: '/data/db' },
  })
  const isUp = await waitUntil(() => mongoAnswers(hostPort, container.getHost()), { withinMs: 60_000 })
  if (!isUp) {
    await container.stop()
    throw new StackUnavailable('the container started, but its server does not answer')
  }
  return { url: `mongodb://${container.getHost()}:${hostPort}/`, processes: [], containers: [container] }
}

async function mongodOnPath({ stateDir, logDir, events }: ServerSettings): Promise<StartedServer> {
  const port = await findFreePort()
  const place = { program: findProgram('mongod') ?? 'mongod', stateDir: join(stateDir, 'mongodb'), port }
  const mongod = new SupervisedProcess(mongodPlan(place, join(logDir, 'mongod.log')), events)
  await mongod.start()
  return { url: `mongodb://127.0.0.1:${port}/`, processes: [mongod], containers: [] }
}

async function builtFerretdb({ stateDir, logDir, log, events }: ServerSettings): Promise<StartedServer> {
  const [root, program] = await Promise.all([postgresRoot(log), builtProgram(FERRETDB, log)])
  const postgresPort = await findFreePort()
  const place = { root, stateDir: join(stateDir, 'postgres'), port: postgresPort }
  await preparePostgres(place)
  const postgres = new SupervisedProcess(postgresPlan(place, join(logDir, 'postgres.log')), events)
  await postgres.start()
  const port = await findFreePort()
  const ferretdb = new SupervisedProcess(
    ferretdbPlan({ program, stateDir: join(stateDir, 'ferretdb'), port, postgresPort }, join(logDir, 'ferretdb.log')),
    events,
  )
  try {
    await ferretdb.start()
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return { url: `mongodb://127.0.0.1:${port}/`, processes: [postgres, ferretdb], containers: [] }
}
