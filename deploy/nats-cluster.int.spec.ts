import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream'
import { busLayout } from '@partsbus/contracts/streams'
import { natsAnswers } from '@partsbus/local-stack/answers'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { builtProgram, NATS_SERVER, unavailableProgramReason } from '@partsbus/local-stack/go-programs'
import { SupervisedProcess } from '@partsbus/local-stack/supervised-process'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { provisionStreams } from '@partsbus/platform/bus/streams'
import { createLog } from '@partsbus/platform/process/log'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { read, root } from './testing/checkout.js'

const NODES = 3
const membersOf = (info?: StreamInfo): string[] =>
  [info?.cluster?.leader ?? '', ...(info?.cluster?.replicas ?? []).map((replica) => replica.name)].sort()
const PASSWORD = 'aClusterPassword'
const reason = unavailableProgramReason(NATS_SERVER)

;(reason === undefined ? describe : describe.skip)(
  `deploy/nats/cluster.conf${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'partsbus-nats-'))
    const nodes: SupervisedProcess[] = []
    let bus: BusConnection

    /** A node as deploy/kubernetes runs it; only folders and ports differ. */
    async function prepareNode(
      index: number,
      program: string,
      { routes, clients, monitors }: Record<'routes' | 'clients' | 'monitors', number[]>,
    ): Promise<SupervisedProcess> {
      const place = join(folder, `node-${index}`)
      for (const path of ['etc/nats', 'run/secrets', 'data']) mkdirSync(join(place, path), { recursive: true })
      const made = spawnSync('sh', [join(root, 'deploy/secrets.sh'), join(folder, 'secrets')], { encoding: 'utf8' })
      if (made.status !== 0) throw new Error(made.stderr)
      const passwords = readFileSync(join(folder, 'secrets/nats_passwords'), 'utf8')
      writeFileSync(join(place, 'run/secrets/nats_passwords'), passwords)
      const data = JSON.stringify(join(place, 'data'))
      const [port = 0, monitor = 0] = [clients[index], monitors[index]]
      const moved = (path: string) =>
        read(path)
          .replace('store_dir: /data', `store_dir: ${data}`)
          .replace('"/data/nats.pid"', JSON.stringify(join(place, 'nats.pid')))
          .replace('port: 6222', `host: 127.0.0.1, port: ${routes[index]}`)
      for (const file of ['nats.conf', 'cluster.conf'])
        writeFileSync(join(place, 'etc/nats', file), moved(`deploy/nats/${file}`))
      const urls = routes.map((route) => `nats://cluster:${PASSWORD}@127.0.0.1:${route}`).join(',')
      const listen = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitor)]
      return new SupervisedProcess({
        name: `nats-${index}`,
        command: program,
        args: ['--config', join(place, 'etc/nats/cluster.conf'), '--routes', urls, ...listen],
        env: { ...process.env, SERVER_NAME: `nats-${index}`, CLUSTER_PASSWORD: PASSWORD },
        port,
        logFile: join(place, 'nats.log'),
        isReady: () => natsAnswers(port),
      })
    }

    beforeAll(async () => {
      const program = await builtProgram(NATS_SERVER, console.error)
      const ports = new Set<number>()
      while (ports.size < 3 * NODES) ports.add(await findFreePort())
      const [routes, clients, monitors] = [0, 1, 2].map((kind) => [...ports].slice(kind * NODES, (kind + 1) * NODES))
      if (!routes || !clients || !monitors) throw new Error('no ports')
      for (let index = 0; index < NODES; index++)
        nodes.push(await prepareNode(index, program, { routes, clients, monitors }))
      await Promise.all(nodes.map((node) => node.start()))
      bus = await connectBus({
        url: nodes.map(({ plan }) => `nats://127.0.0.1:${plan.port}`).join(','),
        user: 'provision',
        password: readFileSync(join(folder, 'secrets/nats_password_provision'), 'utf8'),
        name: 'provision',
        log: createLog('provision', 'silent'),
      })
    })

    afterAll(async () => {
      await bus?.nc.close()
      await Promise.all(nodes.map((node) => node.stop()))
      rmSync(folder, { recursive: true, force: true })
    })

    it('forms a cluster of named nodes with a copy of each stream on every one', async () => {
      // nodes refuse streams until they have found each other and elected a leader
      await waitFor(
        () => provisionStreams(bus.nc, busLayout, NODES).then(() => undefined, String),
        (error) => error === undefined,
        120_000,
        250,
      )
      const manager = await jetstreamManager(bus.nc, { checkAPI: false, timeout: 30_000 })
      const names = [
        ...busLayout.streams.map(({ name }) => name),
        ...busLayout.buckets.map(({ name }) => `OBJ_${name}`),
      ]
      for (const name of names) {
        // a stream has no leader while its nodes elect one
        const { config } = await waitFor(
          () => manager.streams.info(name).catch(() => undefined),
          (info) => String(membersOf(info)) === 'nats-0,nats-1,nats-2',
          120_000,
          250,
        ).then((info) => info ?? { config: { num_replicas: 0 } })
        expect([name, config.num_replicas]).toEqual([name, NODES])
      }
    }, 300_000)
  },
)
