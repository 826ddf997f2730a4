import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { BSON } from 'mongodb'
import { openPartnerShop, type PartnerShop, upload } from './testing/partner-shop.js'
import { expectStatus, ROOT } from './testing/shop.js'
import { WriteLog } from './testing/write-log.js'

const LIST_ROWS = Array.from({ length: 3_000 }, (_, row) => `A;B${row};Part;1;10`).join('\n')

/** docs/backup.md#quiet */
describe('a backup by dump while everything writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-dump-'))
  const backup = join(folder, 'backup')
  let shop: PartnerShop
  let images: ImageHost

  beforeAll(async () => {
    images = await startImageHost()
    shop = await openPartnerShop({ settings: { media_allowed_hosts: ['127.0.0.1'] } })
  }, 240_000)
  afterAll(async () => {
    await shop.stop()
    await images.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (args: string[]) => {
    const { databaseUrl, busUrl, url, adminToken } = shop.product
    const servers = { MONGODB_URL: databaseUrl() ?? '', NATS_URL: busUrl() ?? '' }
    return runCommand(args, { ...servers, PARTSBUS_URL: url, ADMIN_TOKEN: adminToken, STATE_DIR: folder })
  }

  type Stored = Record<string, unknown>
  const named = ({ filename }: Stored) => filename
  /** The documents of a collection in the backup. */
  const read = (service: string, collection: string): Stored[] => {
    const database = `partsbus_${service.replaceAll('-', '_')}`
    const bytes = gunzipSync(readFileSync(join(backup, 'database', database, `${collection}.bson.gz`)))
    const documents: Stored[] = []
    for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
      documents.push(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))))
    return documents
  }

  it('has no reference to anything that is missing', async () => {
    const list = await shop.newList('busy')
    const log = new WriteLog()
    log.writeProducts(() => shop.erp, 'load', 20)
    let isOver = false
    const repeat = async (write: (round: number) => Promise<unknown>): Promise<void> => {
      for (let round = 0; !isOver; round += 1) await write(round)
    }
    const writing = [
      repeat(() => upload(shop.partner, list.id, `brand;article;name;quantity;price\n${LIST_ROWS}\n`)),
      repeat((round) => {
        const url = images.put(`/${round}.png`, png(round))
        return shop.erp.post('/products/batch-upsert', [{ id_erp: `I-${round}`, name: 'Image', images: [{ url }] }])
      }),
      repeat((round) => shop.admin.post('/pick-up-points', { name: `P${round}`, storage_ids: [list.storageId] })),
    ]
    await log.acknowledgedMore(10)
    const made = await run(['backup', backup, '--method', 'dump', '--json'])
    isOver = true
    log.freeze()
    await Promise.all([log.stop(), ...writing])
    expect(made).toMatchObject({ code: 0 })
    expect(existsSync(join(backup, 'manifest.json'))).toBe(true)
    expect(expectStatus(await shop.admin.get('/settings'), 200).body).toMatchObject({ maintenance: null })
    expect(await run(['verify', backup])).toMatchObject({ code: 0 })

    const products = read('catalog', 'products')
    const tasks = read('pricing-import', 'import_tasks')
    const versions = new Set(read('pricing-import', 'offers').map(({ version }) => version as number))
    expect([products.length > 0, tasks.length > 0, versions.size > 0]).toEqual([true, true, true])
    expect(tasks.filter(({ status }) => status === 'processing')).toEqual([])
    const missing = (from: Stored[], field: (one: Stored) => unknown[], known: unknown[]) =>
      from.flatMap(field).filter((id) => !new Set(known).has(id))
    const mediaOf = ({ media }: Stored) => (media as { id: number }[]).map(({ id }) => id)
    const storages = read('stock', 'storages').map(({ _id }) => _id)
    expect({
      images: missing(
        products,
        mediaOf,
        read('catalog', 'media').map(({ _id }) => _id),
      ),
      bytes: missing(read('catalog', 'media'), ({ sha256 }) => [sha256], read('catalog', 'media.files').map(named)),
      versions: read('pricing-import', 'price_lists')
        .map(({ active_version }) => active_version as number)
        .filter((version) => version > 0 && !versions.has(version)),
      storages: missing(read('stock', 'pick_up_points'), ({ storage_ids }) => storage_ids as number[], storages),
    }).toEqual({ images: [], bytes: [], versions: [], storages: [] })
  }, 240_000)

  it('is not restored while services run and their gateway is frozen', async () => {
    const [gateway] = shop.product.processes('gateway')
    process.kill(gateway?.pid ?? 0, 'SIGSTOP')
    try {
      const refused = await waitFor(
        () => run(['restore', backup, '--replace']),
        ({ errors }) => !errors.includes('gateway'),
        60_000,
        1_000,
      )
      expect(refused).toMatchObject({
        code: 2,
        errors: expect.stringContaining('are running: catalog, pricing-import, stock, supplier-search.'),
      })
      const unpaused = await run(['backup', join(folder, 'other'), '--method', 'dump'])
      expect(unpaused).toMatchObject({ code: 2, errors: expect.stringContaining('Without a gateway') })
    } finally {
      process.kill(gateway?.pid ?? 0, 'SIGCONT')
    }
  }, 120_000)
})

/** Runs `partsbus` as a shell does. */
async function runCommand(args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(ROOT, 'packages/cli/bin/partsbus.js'), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output, errors }
}
