import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { natsAnswers } from '@partsbus/local-stack/answers'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { builtProgram, NATS_SERVER } from '@partsbus/local-stack/go-programs'
import { SupervisedProcess } from '@partsbus/local-stack/supervised-process'
import { type BusConnection, connectBus } from '@partsbus/platform/bus-connection'
import { createLog } from '@partsbus/platform/log'
import { read, root } from './checkout.js'

export interface ShippedBus {
  url: string
  /** what deploy/secrets.sh made */
  secretsFolder: string
  /** connects as the service does, with the password made for it */
  connectAs(service: string): Promise<BusConnection>
  stop(): Promise<void>
}

/** A real server with deploy/nats/nats.conf as it stands, and secrets made by deploy/secrets.sh; only ports and folders differ. */
export async function startShippedBus(): Promise<ShippedBus> {
  const program = await builtProgram(NATS_SERVER, console.error)
  const place = mkdtempSync(join(tmpdir(), 'partsbus-bus-'))
  const secrets = join(place, 'run/secrets')
  mkdirSync(secrets, { recursive: true })
  const made = spawnSync('sh', [join(root, 'deploy/secrets.sh'), secrets], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const config = join(place, 'etc/nats/nats.conf')
  mkdirSync(dirname(config), { recursive: true })
  writeFileSync(config, read('deploy/nats/nats.conf').replace('store_dir: /data', `store_dir: ${JSON.stringify(join(place, 'data'))}`))
  const [port, monitor] = [await findFreePort(), await findFreePort()]
  const server = new SupervisedProcess({
    name: 'nats',
    command: program,
    args: ['-c', config, '-a', '127.0.0.1', '-p', String(port), '-m', String(monitor)],
    port,
    logFile: join(place, 'nats.log'),
    isReady: () => natsAnswers(port),
  })
  await server.start()
  const opened: BusConnection[] = []
  return {
    url: `nats://127.0.0.1:${port}`,
    secretsFolder: secrets,
    async connectAs(service) {
      const password = readFileSync(join(secrets, `nats_password_${service}`), 'utf8')
      const bus = await connectBus({ url: `nats://127.0.0.1:${port}`, user: service, password, name: service, log: createLog(service, 'silent') })
      opened.push(bus)
      return bus
    },
    async stop() {
      await Promise.all(opened.map(({ nc }) => nc.close()))
      await server.stop()
      rmSync(place, { recursive: true, force: true })
    },
  }
}
