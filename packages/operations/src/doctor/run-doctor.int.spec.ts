import { createServer, type Server } from 'node:http'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import type { Subscription } from '@nats-io/transport-node'
import { createAdminClient } from '@partsbus/client/admin-client'
import { diagnose, type Finding, type ServiceName, serviceNames } from '@partsbus/contracts/diagnosis'
import { busLayout } from '@partsbus/contracts/streams'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { provisionStreams } from '@partsbus/platform/bus/streams'
import { buildInfo } from '@partsbus/platform/process/build-info'
import { createLog } from '@partsbus/platform/process/log'
import { runRecorded } from '../testing/recorded-command.js'
import { type Installation, runDoctor } from './run-doctor.js'
import { diagnosisEnv } from './start-diagnose.js'

jest.setTimeout(60_000)

const folder = mkdtempSync(join(tmpdir(), 'partsbus-doctor-'))
const version = buildInfo.version
const healthy = { version, services: [{ name: 'stock', state: 'up', ms: 1 }] }

let nats: NatsServer
let bus: BusConnection
let gateway: Server
let overview: { status: number; body: object } = { status: 200, body: healthy }
let installation: Installation
const services = new Map<ServiceName, Subscription>()
/** of the supplies of the stock; the other checks find nothing */
let findingsOfStock: Finding[] = []
/** checks that were made with repairs */
const repaired: string[] = []

function startService(service: ServiceName): void {
  const callback: NonNullable<Parameters<typeof bus.nc.subscribe>[1]>['callback'] = (_error, message) => {
    const { check, fix } = message.json<{ check?: string; fix?: boolean }>()
    if (fix === true) repaired.push(`${service} ${check}`)
    const findings = service === 'stock' && check === 'Supplies' ? findingsOfStock : []
    message.respond(JSON.stringify({ service, schema_version: 1, checks: ['Ids', 'Supplies'], findings }))
  }
  services.set(service, bus.nc.subscribe(diagnose(service).subject, { callback }))
}

async function stopService(service: ServiceName): Promise<() => Promise<unknown>> {
  services.get(service)?.unsubscribe()
  await bus.nc.flush()
  return async () => {
    startService(service)
    await bus.nc.flush()
  }
}

beforeAll(async () => {
  nats = await startNats()
  bus = await connectBus({ url: nats.url, name: 'test', log: createLog('test', 'silent') })
  await provisionStreams(bus.nc, busLayout, 1)
  for (const service of serviceNames) startService(service)
  await bus.nc.flush()
  gateway = createServer((_request, response) => {
    response.writeHead(overview.status, { 'content-type': 'application/json' }).end(JSON.stringify(overview.body))
  })
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done))
  const { port } = gateway.address() as AddressInfo
  writeFileSync(join(folder, 'secrets-key'), 'a'.repeat(64), { mode: 0o600 })
  installation = {
    env: { STATE_DIR: folder },
    admin: createAdminClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'x' }),
    bus: { url: nats.url },
    diagnosisEnv: () => undefined,
    minFreeBytes: 1,
  }
})
afterAll(async () => {
  await bus.close()
  await nats.stop()
  gateway.closeAllConnections()
  await new Promise((done) => gateway.close(done))
  rmSync(folder, { recursive: true })
})

function answer(status: number, body: object): () => Promise<unknown> {
  overview = { status, body }
  return async () => (overview = { status: 200, body: healthy })
}

const faults: Array<[code: string, cause: string, make: () => Promise<() => Promise<unknown>>]> = [
  ['admin-token-wrong', 'another token', async () => answer(401, { message: 'Unauthenticated.' })],
  ['gateway-unreachable', 'a gateway that fails', async () => answer(503, { message: 'Service unavailable.' })],
  [
    'service-away',
    'a service that the gateway misses',
    async () => answer(200, { version, services: [{ name: 'stock', state: 'away' }] }),
  ],
  ['service-away', 'a service that does not answer', () => stopService('stock')],
  ['version-skew', 'an older gateway', async () => answer(200, { ...healthy, version: '0.0.1' })],
  [
    'supply-without-product',
    'what a service finds in its data',
    async () => {
      findingsOfStock = [{ code: 'supply-without-product', severity: 'error', message: 'm', advice: 'a' }]
      return async () => (findingsOfStock = [])
    },
  ],
  [
    'stream-missing',
    'a bus that lost a stream',
    async () => {
      await (await jetstreamManager(bus.nc)).streams.delete('EVENTS')
      return () => provisionStreams(bus.nc, busLayout, 1)
    },
  ],
  [
    'consumer-missing',
    'a bus that lost a consumer',
    async () => {
      await (await jetstreamManager(bus.nc)).consumers.delete('MEDIA', 'media-workers')
      return () => provisionStreams(bus.nc, busLayout, 1)
    },
  ],
  [
    'secret-exposed',
    'a key that everybody can read',
    async () => {
      chmodSync(join(folder, 'secrets-key'), 0o644)
      return async () => chmodSync(join(folder, 'secrets-key'), 0o600)
    },
  ],
]

const codes = async (of: Installation): Promise<string[]> =>
  (await runDoctor(of, false)).findings.map(({ code }) => code)

it('finds nothing in a healthy installation', async () => {
  expect(await runDoctor(installation, false)).toEqual({
    findings: [],
    schemaVersions: Object.fromEntries(serviceNames.map((name) => [name, 1])),
  })
})

describe('finds', () => {
  it.each(faults)('%s: %s', async (code, _cause, make) => {
    const undo = await make()
    try {
      const { findings } = await runDoctor(installation, false)
      expect(findings.map((each) => each.code)).toContain(code)
      for (const { message, advice } of findings) expect([message, advice]).not.toContain('')
    } finally {
      await undo()
    }
  })

  it('bus-unreachable, disk-full and folder-missing', async () => {
    const sick = { ...installation, bus: { url: 'nats://127.0.0.1:1' }, minFreeBytes: Number.MAX_SAFE_INTEGER }
    expect((await codes(sick)).sort()).toEqual(['bus-unreachable', 'disk-full'])
    const missing = { ...installation, env: { STATE_DIR: join(folder, 'none') } }
    expect(await codes(missing)).toEqual(['folder-missing'])
  })
})

describe('a service that does not answer is started for its diagnosis, which', () => {
  const variables = { ...process.env, SECRETS_KEY: 'a'.repeat(64) }
  const startingStock = (mongodbUrl: string): Installation => ({
    ...installation,
    diagnosisEnv: (service) =>
      service === 'stock' ? diagnosisEnv(variables, service, { mongodbUrl, bus: installation.bus }) : undefined,
  })

  it('finds database-unreachable, and looks no further into the data', async () => {
    const undo = await stopService('stock')
    const { findings, schemaVersions } = await runDoctor(startingStock('mongodb://127.0.0.1:1/'), false)
    expect(findings.map(({ code }) => code)).toEqual(['database-unreachable'])
    expect(schemaVersions).toMatchObject({ catalog: 1, stock: null })
    await undo()
  })

  it('finds an invalid configuration', async () => {
    const undo = await stopService('stock')
    const { SECRETS_KEY: _key, ...others } = variables
    const { findings } = await runDoctor(
      {
        ...installation,
        diagnosisEnv: (service) => (service === 'stock' ? { ...others, MONGODB_URL: 'mongodb://x/' } : undefined),
      },
      false,
    )
    expect(findings).toMatchObject([{ code: 'check-failed', message: expect.stringContaining('SECRETS_KEY') }])
    await undo()
  })
})

it('repairs what loses nothing, and leaves the rest', async () => {
  findingsOfStock = [
    { code: 'counter-behind', severity: 'error', message: 'm', advice: 'a', isFixed: true },
    { code: 'supply-without-product', severity: 'error', message: 'm', advice: 'a' },
  ]
  await (await jetstreamManager(bus.nc)).streams.delete('IMPORTS')
  chmodSync(join(folder, 'secrets-key'), 0o644)
  const { findings } = await runDoctor(installation, true)
  expect(findings.map(({ code, isFixed }) => `${code} ${isFixed ?? 'left'}`).sort()).toEqual([
    'counter-behind true',
    'secret-exposed true',
    'stream-missing true',
    'supply-without-product left',
  ])
  expect(repaired).toEqual(serviceNames.flatMap((service) => [`${service} Ids`, `${service} Supplies`]))
  findingsOfStock = []
  expect(await codes(installation)).toEqual([])
})

it('prints findings, advice and the schema versions, and exits with 2', async () => {
  findingsOfStock = [{ code: 'supply-without-product', severity: 'error', message: 'Lost.', advice: 'Send it.' }]
  const env = { NATS_URL: nats.url, STATE_DIR: join(folder, 'none') }
  const { code, output } = await runRecorded(['doctor'], env)
  expect(code).toBe(2)
  expect(output.split('\n').slice(0, 2)).toEqual(['error supply-without-product: Lost.', '    Send it.'])
  expect(output).toContain(
    '2 findings; databases checked: administration (schema version 1), catalog (schema version 1), ' +
      'stock (schema version 1), pricing-import (schema version 1), supplier-search (schema version 1)',
  )
  findingsOfStock = []
})

it('is a usage error where no service can be asked', async () => {
  const { code, errors } = await runRecorded(['doctor'], { STATE_DIR: join(folder, 'none') })
  expect({ code, errors }).toEqual({
    code: 1,
    errors: 'No service can be asked. Set NATS_URL, or give --nats-url.\n',
  })
})
