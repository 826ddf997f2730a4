import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { natsAnswers } from './answers.js'
import { findProgram } from './find-program.js'
import { findFreePort } from './free-port.js'
import { reachGiven } from './given-server.js'
import { builtProgram, NATS_SERVER, whyNotBuilt } from './go-programs.js'
import { natsConfig } from './nats-config.js'
import { natsPlan } from './nats-process.js'
import { StackUnavailable } from './stack-unavailable.js'
import type { ServerSettings, StartedServer } from './start-database.js'
import { SupervisedProcess } from './supervised-process.js'
import { waitUntil } from './wait-until.js'
import { firstThatStarts, type Attempt, type Way } from './ways.js'

const ADVICE = 'Start Docker, or put nats-server or Go on PATH, or set NATS_URL.'

/** A NATS with JetStream: `NATS_URL`, else Docker, else nats-server on PATH, else built with Go into the user's cache. */
export async function startBus(
  settings: ServerSettings,
  given: string | undefined,
): Promise<StartedServer & { how: Way }> {
  const attempts: Attempt<StartedServer>[] = [
    {
      way: 'given',
      what: 'NATS_URL',
      whyNot: () => (given ? undefined : 'not set'),
      start: async () => {
        await reachGiven('NATS_URL', given ?? '', 4_222)
        return { url: given ?? '', processes: [], containers: [] }
      },
    },
    {
      way: 'docker',
      what: 'nats:2.14 in Docker',
      whyNot: async () => (await import('./docker.js')).whyNoDocker(),
      start: () => natsInDocker(settings),
    },
    {
      way: 'path',
      what: 'nats-server on PATH',
      whyNot: () => (findProgram('nats-server') === undefined ? 'not found' : undefined),
      start: () => natsProcess(settings, findProgram('nats-server') ?? 'nats-server'),
    },
    {
      way: 'built',
      what: `nats-server ${NATS_SERVER.version} built with Go`,
      whyNot: () => whyNotBuilt(NATS_SERVER),
      start: async () => natsProcess(settings, await builtProgram(NATS_SERVER, settings.log)),
    },
  ]
  return firstThatStarts('NATS', attempts, ADVICE, settings.log)
}

async function natsProcess({ stateDir, logDir, events }: ServerSettings, program: string): Promise<StartedServer> {
  const port = await findFreePort()
  const nats = new SupervisedProcess(
    natsPlan({ program, stateDir: join(stateDir, 'nats'), port }, join(logDir, 'nats.log')),
    events,
  )
  await nats.start()
  return { url: `nats://127.0.0.1:${port}`, processes: [nats], containers: [] }
}

async function natsInDocker({ stateDir }: ServerSettings): Promise<StartedServer> {
  const { startInDocker } = await import('./docker.js')
  const hostPort = await findFreePort()
  const data = join(stateDir, 'nats')
  mkdirSync(data, { recursive: true })
  const container = await startInDocker({
    image: 'nats:2.14',
    containerPort: 4_222,
    hostPort,
    command: ['-c', '/tmp/nats.conf'],
    files: [{ target: '/tmp/nats.conf', content: natsConfig({ listen: '0.0.0.0:4222', storeDir: '/data' }) }],
    data: { source: data, target: '/data' },
  })
  const isUp = await waitUntil(() => natsAnswers(hostPort, container.getHost()), { withinMs: 30_000 })
  if (!isUp) {
    await container.stop()
    throw new StackUnavailable('the container started, but the server in it does not answer')
  }
  return { url: `nats://${container.getHost()}:${hostPort}`, processes: [], containers: [container] }
}
