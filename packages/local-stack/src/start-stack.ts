import { join, resolve } from 'node:path'
import { makePrivateFolder, readOrCreateCredentials } from './credentials.ts'
import { acquirePidLock, type PidLock } from './pid-lock.ts'
import { StackUnavailable } from './stack-unavailable.ts'
import { startBus } from './start-bus.ts'
import { startDatabase, type ServerSettings, type StartedServer } from './start-database.ts'
import type { ProcessEvents, SupervisedProcess } from './supervised-process.ts'
import type { Provider } from './server-providers.ts'

export interface StackOptions {
  /** Folder for the data and passwords, created if missing; used by one stack at a time. */
  stateDir: string
  /** Progress, one line at a time. */
  log?: (line: string) => void
  events?: ProcessEvents
  /** False: PostgreSQL writes without waiting for the disk, so a crash of the machine loses data. Default: true. */
  isDurable?: boolean
  /** Resolves when packages can be imported. Only what needs one waits for it. Default: they can. */
  packages?: Promise<void>
  /** Default: `MONGODB_URL` and `NATS_URL` of the environment. An empty string starts a server. */
  mongodbUrl?: string
  natsUrl?: string
}

export interface Stack {
  /** With user and password. */
  mongodbUrl: string
  natsUrl: string
  /** The provider of each server. */
  how: { mongodb: Provider; nats: Provider }
  /** The servers that this stack started as processes: none for an external URL or a container. */
  servers: SupervisedProcess[]
  /** Stops the started servers and releases the state folder. */
  stop(): Promise<void>
}

/**
 * A real MongoDB and a real NATS with JetStream on free loopback ports. Both are supervised: a server that dies is
 * restarted on the same port with its data. All servers end with this process, even when it is killed.
 * @throws StackUnavailable with a message for the user when a server is not available
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stateDir = resolve(options.stateDir)
  const logDir = join(stateDir, 'logs')
  makePrivateFolder(stateDir)
  makePrivateFolder(logDir)
  const lock = acquirePidLock(join(stateDir, 'stack.lock'))
  if ('heldBy' in lock) throw new StackUnavailable(`${stateDir} is in use by process ${lock.heldBy}.`)
  const started: StartedServer[] = []
  const stop = async () => {
    await Promise.all(started.map(stopServer))
    lock.release()
  }
  const keep = <Server extends StartedServer>(server: Server) => {
    started.push(server)
    return server
  }
  const settings: ServerSettings = {
    stateDir,
    logDir,
    credentials: orRelease(lock, () => readOrCreateCredentials(stateDir)),
    log: options.log ?? (() => undefined),
    events: options.events ?? {},
    isDurable: options.isDurable ?? true,
    packages: options.packages ?? Promise.resolve(),
  }
  const [mongodb, nats] = await Promise.allSettled([
    startDatabase(settings, options.mongodbUrl ?? process.env.MONGODB_URL).then(keep),
    startBus(settings, options.natsUrl ?? process.env.NATS_URL).then(keep),
  ])
  if (mongodb.status === 'rejected' || nats.status === 'rejected') {
    await stop()
    throw mongodb.status === 'rejected' ? mongodb.reason : nats.status === 'rejected' ? nats.reason : undefined
  }
  return {
    mongodbUrl: mongodb.value.url,
    natsUrl: nats.value.url,
    how: { mongodb: mongodb.value.how, nats: nats.value.how },
    servers: started.flatMap((server) => server.processes),
    stop,
  }
}

function orRelease<T>(lock: PidLock, step: () => T): T {
  try {
    return step()
  } catch (error) {
    lock.release()
    throw error
  }
}

async function stopServer(server: StartedServer): Promise<void> {
  for (const process of server.processes.toReversed()) await process.stop()
  await Promise.all(server.containers.map((container) => container.stop()))
}
