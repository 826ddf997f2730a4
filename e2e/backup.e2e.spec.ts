import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { ApiClient } from './testing/api-client.js'
import type { Part } from './testing/partner.js'
import {
  ended,
  openPartnerShop,
  type PartnerList,
  type PartnerShop,
  scheduled,
  withPartner,
} from './testing/partner-shop.js'
import { runCommand } from './testing/run-command.js'
import { configure, expectStatus, type Page, type Product, readAll, ROOT, type Supply } from './testing/shop.js'
import { withStoppedDatabase } from './testing/stopped-database.js'
import { withDatabase } from './testing/stored-images.js'
import { findRepeatable, type IdsByKind, readCounters, readStoredIds } from './testing/stored-ids.js'
import { checkReferences } from './testing/stored-references.js'
import { startTraffic, trafficEnv, trafficSettings } from './testing/traffic.js'
import { WriteLog } from './testing/write-log.js'

/** docs/operate/backup.md#rehearsal has the figures of a run with 100,000. */
const PRODUCTS = Number(process.env.BACKUP_PRODUCTS ?? 5_000)
const LISTS = 10
const ROWS = 500
const IMAGES = 20
const BATCH = 1_000
/** The first product whose stock is written during the backup. */
const LOADED = 100

jest.setTimeout(PRODUCTS > 20_000 ? 900_000 : 400_000)

/** What the APIs answer about the installation, without the address of the gateway. */
interface Answers {
  products: Product[]
  supplies: Supply[]
  lists: object[]
  storages: object[]
  parts: Part[]
  images: string[]
}

describe('a rehearsal of backup and restore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-rehearsal-'))
  const [origin, backup, elsewhere] = [join(folder, 'origin'), join(folder, 'backup'), join(folder, 'elsewhere')]
  /** images are in a folder, as price lists are */
  const storageOf = (stateDir: string) => ({ STORAGE_DRIVER: 'fs', STORAGE_PATH: `${stateDir}-storage` })
  let shop: PartnerShop | undefined
  let copy: RunningProduct | undefined
  let images: ImageHost
  const lists: PartnerList[] = []
  let before: Answers
  let oldToken = ''
  /** the highest ids of the destroyed installation, which were allocated after the backup */
  const last = { product: 0, task: 0 }
  let allocated: IdsByKind

  beforeAll(async () => {
    images = await startImageHost()
    shop = await openPartnerShop({
      stateDir: origin,
      env: { ...trafficEnv, ...storageOf(origin) },
      settings: { ...trafficSettings, media_wait_ms: 30_000 },
    })
    await fill(shop)
    before = await readAnswers(shop.admin, shop.partner)
  }, 400_000)
  afterAll(async () => {
    await shop?.stop()
    await copy?.stop()
    await images.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const idOf = (number: number) => `P-${number}`

  async function fill({ erp, admin, ...rest }: PartnerShop): Promise<void> {
    for (let first = 0; first < PRODUCTS; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, PRODUCTS - first) }, (_, index) => first + index)
      const products = numbers.map((number) => ({
        id_erp: idOf(number),
        name: `Фильтр ${number}`,
        brand: 'KEEP',
        article: `A${number}`,
        attributes: [{ name: 'Диаметр', value: String(number) }],
        ...(number < IMAGES && { images: [{ url: images.put(`/${number}.png`, png(number)) }] }),
      }))
      expectStatus(await erp.post('/products/batch-upsert', products), 200)
      const stocks = numbers.map((number) => ({ product_id_erp: idOf(number), quantity: number % 50 }))
      expectStatus(await erp.post('/stocks/batch-update', stocks), 200)
    }
    const supplier = { kind: 'http', base_url: images.url, dialect: 'standard', headers: { 'X-Key': 'secret' } }
    expectStatus(await admin.post('/storages', { name: 'Remote', supplier }), 201)
    const tasks: number[] = []
    for (let number = 0; number < LISTS; number++) {
      const list = await rest.newList(`List ${number}`)
      lists.push(list)
      const rows = Array.from({ length: ROWS }, (_, row) => `LIST${number};B${row};Part ${row};${row % 9};${10 + row}`)
      const text = `brand;article;name;quantity;price\n${rows.join('\n')}\n`
      tasks.push(await scheduled({ erp, admin, ...rest }, list, text))
    }
    for (const task of await ended({ erp, admin, ...rest }, tasks, 60_000))
      expect(task).toMatchObject({ status: 'completed', imported_rows: ROWS })
  }

  async function readAnswers(admin: ApiClient, partner: ApiClient): Promise<Answers> {
    const page = async <Row>(path: string) => expectStatus(await admin.get<Page<Row>>(path), 200).body.data
    const products = await Promise.all(
      [0, 1, IMAGES - 1, IMAGES, PRODUCTS - 1].map(
        async (number) => expectStatus(await admin.get<Product>(`/products/by-erp-id/${idOf(number)}`), 200).body,
      ),
    )
    const supplies = await Promise.all(
      products.map(async ({ erp_id }) => await page<Supply>(`/supplies?product_erp_id=${erp_id}`)),
    )
    const parts = await Promise.all(
      lists.map(async ({ pointId }, number) => {
        const question = { article: 'B7', brands: [`LIST${number}`], pick_up_points: [pointId] }
        return expectStatus(await partner.post<{ parts: Part[] }>('/get-parts', question), 200).body.parts
      }),
    )
    const pictures = await Promise.all(
      products
        .flatMap(({ media }) => media)
        .map(async ({ url }) => (await new ApiClient(url).get('')).bytes.toString('base64')),
    )
    const own = async (path: string) =>
      (await readAll<{ name: string }>(admin, path)).filter(({ name }) => !name.startsWith('traffic'))
    const answers = {
      products,
      supplies: supplies.flat(),
      lists: await own('/price-lists'),
      storages: await own('/storages'),
      parts: parts.flat(),
      images: pictures,
    }
    return JSON.parse(JSON.stringify(answers).replaceAll(/http:\/\/127\.0\.0\.1:\d+\/media/g, '/media')) as Answers
  }

  const clientsOf = ({ url, adminToken }: RunningProduct) => ({
    admin: new ApiClient(`${url}/api/admin`, { authorization: `Bearer ${adminToken}` }),
    erp: (token: string) => new ApiClient(`${url}/api/erp`, { authorization: `Bearer ${token}` }),
    partner: (token: string) => new ApiClient(`${url}/api/b2b`, { authorization: `Bearer ${token}` }),
  })

  it('copies everything as of one moment while partners and the ERP send requests', async () => {
    const { erp, admin, product } = shop as PartnerShop
    const log = new WriteLog()
    log.writeProducts(() => erp, 'load', 20)
    log.writeStocks(
      () => erp,
      Array.from({ length: 50 }, (_, number) => idOf(LOADED + number)),
    )
    const traffic = await startTraffic(shop as PartnerShop, images, 'traffic')
    await Promise.all([log.acknowledgedMore(10), traffic.answeredMore(2)])
    const acknowledged = new Map([...log.keys].map(([key, { acknowledged: value }]) => [key, value]))
    const [made] = await Promise.all([
      runCommand(['backup', backup, '--with-key', '--json'], {
        STATE_DIR: origin,
        PARTSBUS_URL: product.url,
        ADMIN_TOKEN: product.adminToken,
        ...storageOf(origin),
      }),
      log.acknowledgedMore(20),
      traffic.answeredMore(1),
    ])
    log.freeze()
    await log.stop()
    expect(await traffic.stop()).toEqual([])
    expect(made).toMatchObject({ code: 0 })
    expect(JSON.parse(made.output)).toMatchObject({ method: 'dump', storage: { driver: 'fs' } })
    // later than the moment: these ids are known outside, and not in the backup
    expectStatus(await erp.post('/products/batch-upsert', [{ id_erp: 'later', name: 'Later' }]), 200)
    last.product = expectStatus(await admin.get<Product>('/products/by-erp-id/later'), 200).body.id
    last.task = await scheduled(
      shop as PartnerShop,
      lists[0] as PartnerList,
      'brand;article;name;quantity;price\nA;1;B;1;1\n',
    )
    await ended(shop as PartnerShop, [last.task], 30_000)

    allocated = await withDatabase((shop as PartnerShop).product.databaseUrl() ?? '', readStoredIds)
    oldToken = (shop as PartnerShop).erpToken
    await (shop as PartnerShop).stop()
    shop = undefined
    for (const path of [origin, storageOf(origin).STORAGE_PATH]) rmSync(path, { recursive: true })
    expect(existsSync(origin)).toBe(false)

    await expect(runCommand(['verify', backup])).resolves.toMatchObject({ code: 0 })
    const restored = await runCommand(['restore', backup, '--to', elsewhere], storageOf(elsewhere))
    expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/ STATE_DIR=\S+ partsbus doctor$/m) })
    const files = { ...storageOf(elsewhere), FILES_PATH: join(elsewhere, 'files') }
    const { compared, faults } = await withStoppedDatabase(elsewhere, async (client, url) => {
      // services go on with what was begun at the moment
      const verified = await runCommand(['verify', backup, '--against', '--json'], { MONGODB_URL: url })
      const { comparison } = JSON.parse(verified.output) as { comparison: { compared: number; differences: object[] } }
      expect(comparison.differences).toEqual([])
      expect(comparison.compared).toBeGreaterThan(2_500)
      return checkReferences(client, files, allocated.get('pricing_import price_lists'))
    })
    expect(faults).toEqual([])
    expect(Object.entries(compared).filter(([, count]) => count === 0)).toEqual([])
    copy = await startProduct({ root: ROOT, stateDir: elsewhere, env: { ...trafficEnv, ...storageOf(elsewhere) } })
    const clients = clientsOf(copy)

    // closed
    expect((await clients.erp(oldToken).get('/ping')).status).toBe(503)
    const stored = new Map(
      (await readAll<Product>(clients.admin, '/products?q=load')).map((product) => [product.erp_id, product]),
    )
    for (const [key, value] of acknowledged) {
      const erpId = key.slice(key.indexOf('/') + 1)
      const { history = [], onItsWay } = log.keys.get(key) ?? {}
      if (key.startsWith('products/')) {
        const { sort = -1, attributes = [] } = stored.get(erpId) ?? {}
        expect(sort).toBeGreaterThanOrEqual(value)
        // no write before a stored one is missing
        const values = new Set(attributes.map((attribute) => Number(attribute.value)))
        expect(
          [...history, onItsWay].filter((each) => each !== undefined && each <= sort && !values.has(each)),
        ).toEqual([])
      } else {
        const supplies = await clients.admin.get<Page<Supply>>(`/supplies?product_erp_id=${erpId}`)
        expect(supplies.body.data[0]?.quantity).toBeGreaterThanOrEqual(value)
      }
    }
  })

  it('answers as before, field by field', async () => {
    const { admin, erp, partner } = clientsOf(copy as RunningProduct)
    const issue = async (api: string) =>
      expectStatus(await admin.post<{ token: string }>(`/settings/${api}-token`), 200).body.token
    const [erpToken, partnerToken] = [await issue('erp'), await issue('b2b')]
    expectStatus(await admin.patch('/settings', { erp_enabled: true, b2b_enabled: true }), 200)
    const after = await readAnswers(admin, partner(partnerToken))
    expect(after).toEqual(before)
    const { total } = expectStatus(await admin.get<Page<Product>>('/products?per_page=1'), 200).body
    expect(total).toBeGreaterThanOrEqual(PRODUCTS)

    expect((await erp(oldToken).get('/ping')).status).toBe(401)
    // ids collide neither with stored ones nor with those that were allocated after the backup
    expectStatus(await erp(erpToken).post('/products/batch-upsert', [{ id_erp: 'new', name: 'New' }]), 200)
    const created = expectStatus(await admin.get<Product>('/products/by-erp-id/new'), 200).body
    expect(created.id).toBeGreaterThan(last.product)
    expect((await admin.get('/products/by-erp-id/later')).status).toBe(404)
  })

  it('has no finding of the doctor', async () => {
    const { url, adminToken } = copy as RunningProduct
    const env = { STATE_DIR: elsewhere, ...storageOf(elsewhere), PARTSBUS_URL: url, ADMIN_TOKEN: adminToken }
    const doctor = await runCommand(['doctor', '--json'], env)
    const { findings } = JSON.parse(doctor.output) as { findings: { code: string }[] }
    // the disk of the machine that runs the tests; files of lists that were deleted during the backup
    const others = new Set(['disk-full', 'file-missing'])
    expect(findings.filter(({ code }) => !others.has(code))).toEqual([])
  })

  // rules.md#restored-ids
  it('gives no id twice, of any kind, not even when it is restored again', async () => {
    const { stop, databaseUrl } = copy as RunningProduct
    const readIds = () => withDatabase(databaseUrl() ?? '', readStoredIds)
    const restored = await readIds()
    const shop = await withPartner(await configure(copy as RunningProduct, trafficSettings))
    const traffic = await startTraffic(shop, images, 'again')
    await traffic.answeredMore(1)
    expect(await traffic.stop()).toEqual([])
    shop.partner.close()
    const after = await readIds()
    const twice = [...after].flatMap(([kind, ids]) => {
      const added = [...ids].filter((id) => !restored.get(kind)?.has(id))
      const again = added.filter((id) => allocated.get(kind)?.has(id))
      return added.length === 0 || again.length > 0 ? [{ kind, added, again }] : []
    })
    expect(twice).toEqual([])

    await stop()
    const args = ['restore', backup, '--to', elsewhere, '--replace']
    expect(await runCommand(args, storageOf(elsewhere))).toMatchObject({ code: 0 })
    const counters = await withStoppedDatabase(elsewhere, readCounters)
    expect(findRepeatable(counters, [allocated, after])).toEqual([])
  })
})
