import { join } from 'node:path'
import { natsAnswers } from './answers.ts'
import { makePrivateFolder, urlWithCredentials } from './credentials.ts'
import { unavailableDockerReason } from './docker-daemon.ts'
import { findProgram } from './find-program.ts'
import { findFreePort } from './free-port.ts'
import { waitForExternalServer } from './external-server.ts'
import { builtProgram, NATS_SERVER, unavailableProgramReason } from './go-programs.ts'
import { natsConfig } from './nats-config.ts'
import { natsPlan } from './nats-process.ts'
import { StackUnavailable } from './stack-unavailable.ts'
import type { ServerSettings, StartedServer } from './start-database.ts'
import { SupervisedProcess } from './supervised-process.ts'
import { waitUntil } from './wait-until.ts'
import { startFirstAvailable, type Attempt, type Provider } from './server-providers.ts'

const ADVICE = 'Start Docker, or put nats-server or Go on PATH, or set NATS_URL.'

/**
 * A NATS with JetStream: `NATS_URL`, else Docker, else nats-server on PATH, else a build with Go in the user's cache.
 */
export async function startBus(
  settings: ServerSettings,
  url: string | undefined,
): Promise<StartedServer & { how: Provider }> {
  const attempts: Attempt<StartedServer>[] = [
    {
      provider: 'external',
      what: 'NATS_URL',
      unavailableReason: () => (url ? undefined : 'not set'),
      start: async () => {
        await waitForExternalServer('NATS_URL', url ?? '', 4_222)
        return { url: url ?? '', processes: [], containers: [] }
      },
    },
    {
      provider: 'docker',
      what: 'nats:2.14 in Docker',
      unavailableReason: () => unavailableDockerReason(settings.packages),
      start: () => natsInDocker(settings),
    },
    {
      provider: 'path',
      what: 'nats-server on PATH',
      unavailableReason: () => (findProgram('nats-server') === undefined ? 'not found' : undefined),
      start: () => natsProcess(settings, findProgram('nats-server') ?? 'nats-server'),
    },
    {
      provider: 'built',
      what: `nats-server ${NATS_SERVER.version} built with Go`,
      unavailableReason: () => unavailableProgramReason(NATS_SERVER),
      start: async () => natsProcess(settings, await builtProgram(NATS_SERVER, settings.log)),
    },
  ]
  return startFirstAvailable('NATS', attempts, ADVICE, settings.log)
}

async function natsProcess(settings: ServerSettings, program: string): Promise<StartedServer> {
  const { stateDir, logDir, events, credentials } = settings
  const port = await findFreePort()
  const nats = new SupervisedProcess(
    natsPlan({ program, stateDir: join(stateDir, 'nats'), port, client: credentials.nats }, join(logDir, 'nats.log')),
    events,
  )
  await nats.start()
  const url = urlWithCredentials('nats', credentials.nats, '127.0.0.1', port)
  return { url, processes: [nats], containers: [] }
}

async function natsInDocker({ stateDir, credentials }: ServerSettings): Promise<StartedServer> {
  const { startInDocker } = await import('./docker.ts')
  const hostPort = await findFreePort()
  const data = join(stateDir, 'nats')
  makePrivateFolder(data)
  const config = natsConfig({ listen: '0.0.0.0:4222', storeDir: '/data', client: credentials.nats })
  const container = await startInDocker({
    image: 'nats:2.14',
    containerPort: 4_222,
    hostPort,
    command: ['-c', '/tmp/nats.conf'],
    files: [{ target: '/tmp/nats.conf', content: config }],
    data: { source: data, target: '/data' },
  })
  const isUp = await waitUntil(() => natsAnswers(hostPort, container.getHost()), { withinMs: 30_000 })
  if (!isUp) {
    await container.stop()
    throw new StackUnavailable('the container started, but its server does not answer')
  }
  const url = urlWithCredentials('nats', credentials.nats, container.getHost(), hostPort)
  return { url, processes: [], containers: [container] }
}
