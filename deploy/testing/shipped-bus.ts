import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { natsAnswers } from '@partsbus/local-stack/answers'
import { startInDocker } from '@partsbus/local-stack/docker'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { builtProgram, NATS_SERVER, unavailableProgramReason } from '@partsbus/local-stack/go-programs'
import { SupervisedProcess } from '@partsbus/local-stack/supervised-process'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { read, root } from './checkout.js'
import { compose, defaultValue } from './compose-file.js'

export interface ShippedBus {
  url: string
  /** what deploy/secrets.sh made */
  secretsFolder: string
  /** connects as the service does, with the password made for it */
  connectAs(service: string): Promise<BusConnection>
  stop(): Promise<void>
}

/** A server with the shipped deploy/nats/nats.conf and secrets of deploy/secrets.sh; only ports and folders differ. */
export async function startShippedBus(): Promise<ShippedBus> {
  const place = mkdtempSync(join(tmpdir(), 'partsbus-bus-'))
  const secretsFolder = join(place, 'run/secrets')
  for (const folder of [secretsFolder, join(place, 'data')]) mkdirSync(folder, { recursive: true })
  const made = spawnSync('sh', [join(root, 'deploy/secrets.sh'), secretsFolder], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const port = await findFreePort()
  const stopServer =
    unavailableProgramReason(NATS_SERVER) === undefined
      ? await startProcess(place, port)
      : await startContainer(place, port)
  const opened: BusConnection[] = []
  return {
    url: `nats://127.0.0.1:${port}`,
    secretsFolder,
    async connectAs(service) {
      const password = readFileSync(join(secretsFolder, `nats_password_${service}`), 'utf8')
      const bus = await connectBus({
        url: `nats://127.0.0.1:${port}`,
        user: service,
        password,
        name: service,
        log: createLog(service, 'silent'),
      })
      opened.push(bus)
      return bus
    },
    async stop() {
      await Promise.all(opened.map(({ nc }) => nc.close()))
      await stopServer()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

type Stop = () => Promise<unknown>

async function startProcess(place: string, port: number): Promise<Stop> {
  const config = join(place, 'etc/nats/nats.conf')
  mkdirSync(dirname(config), { recursive: true })
  writeFileSync(
    config,
    read('deploy/nats/nats.conf').replace('store_dir: /data', `store_dir: ${JSON.stringify(join(place, 'data'))}`),
  )
  const server = new SupervisedProcess({
    name: 'nats',
    command: await builtProgram(NATS_SERVER, console.error),
    args: ['-c', config, '-a', '127.0.0.1', '-p', String(port), '-m', String(await findFreePort())],
    port,
    logFile: join(place, 'nats.log'),
    isReady: () => natsAnswers(port),
  })
  await server.start()
  return () => server.stop()
}

/** Where no server can be built: the image that compose names, files in their real places. */
async function startContainer(place: string, port: number): Promise<Stop> {
  const container = await startInDocker({
    image: defaultValue(compose.services.nats?.image ?? ''),
    containerPort: 4222,
    hostPort: port,
    command: ['--config', '/etc/nats/nats.conf'],
    files: [
      { target: '/etc/nats/nats.conf', content: read('deploy/nats/nats.conf') },
      {
        target: '/run/secrets/nats_passwords',
        content: readFileSync(join(place, 'run/secrets/nats_passwords'), 'utf8'),
      },
    ],
    data: { source: join(place, 'data'), target: '/data' },
  })
  if (!(await waitUntil(() => natsAnswers(port), { withinMs: 30_000 })))
    throw new Error('The bus in the container does not answer.')
  return () => container.stop()
}
