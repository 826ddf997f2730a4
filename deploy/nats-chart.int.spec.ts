import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { natsAnswers } from '@partsbus/local-stack/answers'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { builtProgram, NATS_SERVER, unavailableProgramReason } from '@partsbus/local-stack/go-programs'
import { SupervisedProcess } from '@partsbus/local-stack/supervised-process'
import { read, readYaml, root } from './testing/checkout.js'

interface Values {
  config: {
    jetstream: {
      memoryStore: { maxSize: string }
      fileStore: { maxSize: string }
      merge: Record<string, string>
    }
    merge: Record<string, string>
  }
}
const [values] = readYaml<Values>('deploy/kubernetes/samples/nats-chart/values.yaml')
const reason = unavailableProgramReason(NATS_SERVER)

/**
 * What the chart writes of these values: one block, in which `include` comes first and its own keys follow.
 * `helm template` of chart 2.14.2 shows the same; here it is without the routes.
 */
function chartConfig(data: string): string {
  const { jetstream, merge } = values?.config ?? ({} as Values['config'])
  const { memoryStore, fileStore, merge: more } = jetstream
  const store = `"max_file_store": ${fileStore.maxSize}, "max_memory_store": ${memoryStore.maxSize}`
  return `{
    include ${merge.$include};
    "jetstream": { ${store}, "store_dir": ${JSON.stringify(data)}, ${JSON.stringify(more).slice(1, -1)} },
    "server_name": "nats-0"
  }`
}

;(reason === undefined ? describe : describe.skip)(`samples/nats-chart${reason ? ` (skipped: ${reason})` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-chart-'))
  const servers: SupervisedProcess[] = []
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true })
  })

  /** Starts a server with these files in `etc/nats-config`. @returns what it says of its configuration */
  async function start(name: string, files: (data: string) => Record<string, string>) {
    const place = join(folder, name)
    const config = join(place, 'etc/nats-config')
    for (const path of [config, join(place, 'run/secrets')]) mkdirSync(path, { recursive: true })
    const made = spawnSync('sh', [join(root, 'deploy/secrets.sh'), join(place, 'run/secrets')], { encoding: 'utf8' })
    if (made.status !== 0) throw new Error(made.stderr)
    for (const [file, text] of Object.entries(files(join(place, 'data')))) writeFileSync(join(config, file), text)
    const [port, monitor] = [await findFreePort(), await findFreePort()]
    const listen = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitor)]
    const server = new SupervisedProcess({
      name,
      command: await builtProgram(NATS_SERVER, console.error),
      args: ['--config', join(config, 'nats.conf'), ...listen],
      port,
      logFile: join(place, 'nats.log'),
      isReady: () => natsAnswers(port),
    })
    servers.push(server)
    await server.start()
    const { max_payload, ping_interval, ping_max, auth_required, jetstream } = (await fetch(
      `http://127.0.0.1:${monitor}/varz`,
    ).then((answer) => answer.json())) as Record<string, unknown> & { jetstream: { config: object } }
    return {
      ...{ max_payload, ping_interval, ping_max, auth_required },
      jetstream: { ...jetstream.config, store_dir: undefined },
    }
  }

  it('runs the bus with the users and the limits of deploy/nats/nats.conf', async () => {
    const ours = read('deploy/nats/nats.conf')
    const shipped = await start('shipped', (data) => ({
      'nats.conf': ours.replace('store_dir: /data', `store_dir: ${JSON.stringify(data)}`),
    }))
    const chart = await start('chart', (data) => ({ 'nats.conf': chartConfig(data), 'partsbus.conf': ours }))
    expect(chart).toEqual(shipped)
    expect(chart).toMatchObject({ auth_required: true, jetstream: { sync_always: true } })
  })
})
