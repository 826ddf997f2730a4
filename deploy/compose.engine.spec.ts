import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdminClient } from '@partsbus/client/admin-client'
import { createErpClient } from '@partsbus/client/erp-client'
import { createPartnerClient } from '@partsbus/client/partner-client'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { read, services, withDatabase } from './testing/checkout.js'
import { compose, defaultValue } from './testing/compose-file.js'
import { type ComposeProject, findEngine, openProject } from './testing/compose-engine.js'

/*
 * `npm run test:compose`: builds the images and the bundle, unpacked in a folder of its own, and runs it with a Docker
 * engine, in some minutes. It is no part of `npm test`. Where the images of the servers can neither be found nor pulled
 * it is skipped. `COMPOSE_TEST_BUILD=off` uses the images of the run before.
 */
const engine = findEngine()
if ('reason' in engine) console.warn(`skipped: ${engine.reason}`)
const BUILD_MS = 30 * 60_000
const START_MS = 10 * 60_000
const PRICE_LIST = 'brand;article;name;quantity;price\nMAHLE;OC-90;Oil filter;4;7.5\n'

const bytes = (limit = ''): number => {
  const [, amount = '', unit = ''] = /^(\d+)([mg])$/.exec(defaultValue(limit)) ?? []
  return Number(amount) * 1024 ** (unit === 'g' ? 3 : 2)
}

;('reason' in engine ? describe.skip : describe)('the bundle with an engine', () => {
  let project: ComposeProject
  let storageId = 0
  let pointId = 0
  let partnerToken = ''
  let erpToken = ''

  beforeAll(() => {
    if ('files' in engine) project = openProject(engine.files)
  })

  afterAll(async () => {
    await project?.stop()
    expect(await project?.left()).toEqual([])
  }, START_MS)

  /** Addresses of all replicas of the gateway. */
  async function gateways(): Promise<string[]> {
    const replicas = await project.inspect('gateway')
    return Promise.all(
      replicas.map(
        async (_, at) => `http://${await project.compose('port', '--index', String(at + 1), 'gateway', '8080')}`,
      ),
    )
  }
  const gateway = async () => (await gateways())[0] ?? ''
  const openAdmin = async () => {
    const token = readFileSync(join(project.secretsFolder, 'admin_token'), 'utf8')
    return createAdminClient({ baseUrl: await gateway(), token })
  }
  const openErp = async () => createErpClient({ baseUrl: await gateway(), token: erpToken })
  const openPartner = async (baseUrl?: string) =>
    createPartnerClient({ baseUrl: baseUrl ?? (await gateway()), token: partnerToken })

  /** Names of the offers that a partner finds, or the error of the call. */
  async function search(baseUrl?: string): Promise<string[] | string> {
    const partner = await openPartner(baseUrl)
    const body = { article: 'OC-90', brands: ['MAHLE'], pick_up_points: [pointId] }
    return partner('POST /get-parts', { body }).then(
      ({ parts }) => parts.map(({ name }) => name),
      (error: unknown) => String(error),
    )
  }
  const found = (names: string[] | string) => Array.isArray(names) && names.includes('Oil filter')

  const builds = process.env.COMPOSE_TEST_BUILD === 'off' ? it.skip : it
  builds(
    'builds the image of each service',
    async () => {
      await project.build()
    },
    BUILD_MS,
  )

  it.each(services)('the image of %s says in its labels what it is', async (service) => {
    const { license } = JSON.parse(read('package.json')) as { license: string }
    expect(await project.labels(service)).toMatchObject({
      'org.opencontainers.image.title': `partsbus-${service}`,
      'org.opencontainers.image.version': 'compose-test',
      'org.opencontainers.image.revision': 'c0ffee1',
      'org.opencontainers.image.licenses': license,
    })
  })

  it(
    'starts until every container is healthy',
    async () => {
      await project.compose('up', '--detach', '--wait', '--no-build')
      for (const service of services) {
        const [container] = await project.inspect(service)
        expect([service, container?.State.Health?.Status, container?.RestartCount]).toEqual([service, 'healthy', 0])
      }
      const [job] = await project.inspect('provision')
      expect(job?.State).toMatchObject({ Running: false, ExitCode: 0 })
    },
    START_MS,
  )

  it('stores products and stock of the ERP', async () => {
    const admin = await openAdmin()
    const own = await admin('POST /storages', { body: { name: 'Main' } })
    const shop = await admin('POST /pick-up-points', { body: { name: 'Shop', storage_ids: [own.id] } })
    await admin('PATCH /settings', {
      body: { erp_enabled: true, b2b_enabled: true, erp_storage_id: own.id, erp_pick_up_point_id: shop.id },
    })
    erpToken = (await admin('POST /settings/erp-token')).token
    partnerToken = (await admin('POST /settings/b2b-token')).token
    const erp = await openErp()
    await erp('POST /products/batch-upsert', { body: [{ id_erp: 'p1', name: 'Bolt' }] })
    await erp('POST /stocks/batch-update', { body: [{ product_id_erp: 'p1', quantity: 3 }] })
    const { data } = await admin('GET /supplies', { query: { product_erp_id: 'p1' } })
    expect(data).toMatchObject([{ quantity: 3 }])
  })

  it('imports a price list through the volume of uploads, and finds its offers', async () => {
    const admin = await openAdmin()
    const supplier = await admin('POST /storages', { body: { name: 'Supplier', supplier: { kind: 'price-list' } } })
    storageId = supplier.id
    pointId = (await admin('POST /pick-up-points', { body: { name: 'Supplier', storage_ids: [storageId] } })).id
    const list = await admin('POST /price-lists', { body: { name: 'Supplier', storage_id: storageId } })
    const partner = await openPartner()
    const { task_id: taskId } = await partner.uploadPriceList({
      priceListId: list.id,
      file: new Blob([PRICE_LIST]),
      fileName: 'price.csv',
    })
    const task = await waitFor(
      async () => (await partner('POST /get-price-list-status', { body: { task_id: taskId } })).task,
      ({ status }) => status === 'completed' || status === 'failed',
      120_000,
    )
    expect(task).toMatchObject({ status: 'completed', imported_rows: 1 })
    expect(await waitFor(() => search(), found, 60_000)).toEqual(['Oil filter'])
  }, 240_000)

  it(
    'scales services while they are used, the gateway included',
    async () => {
      project.set({ CATALOG_REPLICAS: '3', GATEWAY_REPLICAS: '2', PRICING_IMPORT_REPLICAS: '2' })
      await project.compose('up', '--detach', '--wait', '--no-build', '--no-recreate')
      expect(await project.inspect('catalog')).toHaveLength(3)
      const addresses = await gateways()
      expect(new Set(addresses).size).toBe(2)
      for (const address of addresses)
        expect(await waitFor(() => search(address), found, 60_000)).toEqual(['Oil filter'])
      const erp = await openErp()
      const products = Array.from({ length: 30 }, (_, at) => ({ id_erp: `scaled-${at}`, name: `Nut ${at}` }))
      const batches = products.map((product) => erp('POST /products/batch-upsert', { body: [product] }))
      for (const result of await Promise.all(batches)) expect(result).toMatchObject({ processed: 1 })
    },
    START_MS,
  )

  it.each([...services, 'nats', 'mongo'])(
    'goes on after a restart of %s',
    async (service) => {
      await project.compose('restart', service)
      expect(await waitFor(() => search(), found, 180_000, 500)).toEqual(['Oil filter'])
      const admin = await openAdmin()
      const supplies = await waitFor(
        () => admin('GET /supplies', { query: { product_erp_id: 'p1' } }).catch(() => undefined),
        (page) => page !== undefined,
        180_000,
        500,
      )
      expect(supplies?.data).toMatchObject([{ quantity: 3 }])
    },
    START_MS,
  )

  it.each(services)('limits the memory of %s, and its heap to a share of it', async (service) => {
    const limit = bytes(compose.services[service]?.mem_limit)
    for (const container of await project.inspect(service)) {
      const { HostConfig: limits } = container
      expect(limits).toMatchObject({ Memory: limit, MemorySwap: limit, ReadonlyRootfs: true, CapDrop: ['ALL'] })
      expect(container.State.OOMKilled).toBe(false)
    }
    const script = 'console.log(process.getuid(), v8.getHeapStatistics().heap_size_limit)'
    const [user, heap] = (await project.compose('exec', '-T', service, 'node', '-e', script)).split(' ').map(Number)
    expect(user).toBe(1000)
    const [, percent] = /=(\d+)$/.exec(compose.services[service]?.environment?.NODE_OPTIONS ?? '') ?? []
    const share = (limit * Number(percent)) / 100
    expect(heap).toBeGreaterThanOrEqual(share * 0.95)
    // the young generation comes on top, of up to three times 64 MiB
    expect(heap).toBeLessThan(share + 256 * 1024 ** 2)
  })

  it('runs the command line in a container of its own, which finds all services', async () => {
    expect(await project.compose('run', '--rm', '-T', 'cli', '--version')).toMatch(/^partsbus \d/)
    // it exits with 2 for what it finds
    const doctor = ['--entrypoint', 'sh', 'cli', '-c', 'partsbus doctor --json || test $? -eq 2']
    const found = JSON.parse(await project.compose('run', '--rm', '-T', ...doctor)) as { findings: { code: string }[] }
    expect(found).toMatchObject({ checked: expect.arrayContaining(withDatabase) })
    expect(found.findings.map(({ code }) => code)).not.toContain('service-away')
  })

  it(
    'makes a backup at once where there is none, in a volume, and checks it',
    async () => {
      await project.compose('--profile', 'backup', 'up', '--detach', '--wait', '--no-build', '--no-recreate', 'backup')
      const listed = () => project.compose('exec', '-T', 'backup', 'ls', '/backup')
      const name = await waitFor(listed, (names) => /^partsbus-[^.]+$/.test(names), 180_000, 500)
      expect(await project.compose('run', '--rm', '-T', '--no-deps', 'backup', 'verify', `/backup/${name}`)).toContain(
        'The backup is complete and readable',
      )
      expect(await project.compose('exec', '-T', 'backup', 'ls', '/tmp')).not.toContain('failed')
    },
    START_MS,
  )

  it('is refused nothing by the bus', async () => {
    expect(await project.compose('logs', '--no-color')).not.toMatch(/permissions violation|authorization violation/i)
  })
})
