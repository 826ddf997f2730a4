import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { takePidLock } from './pid-lock.js'
import { StackUnavailable } from './stack-unavailable.js'
import { startBus } from './start-bus.js'
import { startDatabase, type ServerSettings, type StartedServer } from './start-database.js'
import type { ProcessEvents, SupervisedProcess } from './supervised-process.js'
import type { Way } from './ways.js'

export interface StackOptions {
  /** Where the data is kept. Made when it is not there; one stack at a time uses it. */
  stateDir: string
  /** Progress, one line at a time. */
  log?: (line: string) => void
  events?: ProcessEvents
  /** Default: `MONGODB_URL` and `NATS_URL` of the environment. An empty text means: start one. */
  mongodbUrl?: string
  natsUrl?: string
}

export interface Stack {
  mongodbUrl: string
  natsUrl: string
  /** How each server was had. */
  how: { mongodb: Way; nats: Way }
  /** The servers this stack started as processes: none for a given URL or a container. */
  servers: SupervisedProcess[]
  /** Stops what was started, and releases the state folder. */
  stop(): Promise<void>
}

/**
 * A real MongoDB and a real NATS with JetStream, on loopback ports of their own. Both are supervised: one that dies is
 * started again on the same port with its data. Everything ends with this process, also when it is killed.
 * Throws `StackUnavailable` with a text for people when one cannot be had.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stateDir = resolve(options.stateDir)
  const logDir = join(stateDir, 'logs')
  mkdirSync(logDir, { recursive: true })
  const lock = takePidLock(join(stateDir, 'stack.lock'))
  if ('heldBy' in lock) throw new StackUnavailable(`${stateDir} is in use by process ${lock.heldBy}.`)
  const settings: ServerSettings = {
    stateDir,
    logDir,
    log: options.log ?? (() => undefined),
    events: options.events ?? {},
  }
  const started: StartedServer[] = []
  const stop = async () => {
    await Promise.all(started.map(stopServer))
    lock.release()
  }
  const keep = <Server extends StartedServer>(server: Server) => {
    started.push(server)
    return server
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

async function stopServer(server: StartedServer): Promise<void> {
  for (const process of server.processes.toReversed()) await process.stop()
  await Promise.all(server.containers.map((container) => container.stop()))
}
