import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { FtpSrv } from 'ftp-srv'
import { file, FORM_TYPE, formBody } from '@partsbus/test-kit/form'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { readLogs } from './testing/log-files.js'
import { expectStatus, openShop, type Page, type Shop } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

const PASSWORD = 'Word-of-the-supplier-77'
const quiet = { child: () => quiet, trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const price = (article: string): string =>
  `Бренд;Артикул;Наименование;Количество;Цена\nKYB;${article};Амортизатор;3;100\n`

interface Source {
  id: number
  password: string
  last_run: { outcome: string; message: string; task_id: number | null } | null
}

let shop: Shop
let host: ImageHost
let ftp: FtpSrv
let folder = ''
let ftpPort = 0
let storage = 0

beforeAll(async () => {
  host = await startImageHost()
  folder = mkdtempSync(join(tmpdir(), 'partsbus-ftp-'))
  ftpPort = await findFreePort()
  ftp = new FtpSrv({ url: `ftp://127.0.0.1:${ftpPort}`, pasv_url: '127.0.0.1', log: quiet })
  ftp.on('login', ({ username, password }, resolve, reject) => {
    if (username === 'shop' && password === PASSWORD) resolve({ root: folder })
    else reject(new Error('no'))
  })
  await ftp.listen()
  // several replicas may find the same source due
  shop = await openShop({ replicas: 'pricing-import=2', env: { SOURCE_ALLOWED_HOSTS: '127.0.0.1' } })
  storage = (await shop.admin.post<{ id: number }>('/storages', { name: 'Lists', supplier: { kind: 'price-list' } }))
    .body.id
}, 300_000)
afterAll(async () => {
  await shop?.stop()
  await ftp?.close()
  await host?.close()
  if (folder !== '') rmSync(folder, { recursive: true })
})

async function listWith(source: object): Promise<number> {
  return expectStatus(
    await shop.admin.post<{ id: number }>('/price-lists', { name: 'Fetched', storage_id: storage, sources: [source] }),
    201,
  ).body.id
}
const sourceOf = async (list: number): Promise<Source> => {
  const [source] = (await shop.admin.get<{ sources: Source[] }>(`/price-lists/${list}`)).body.sources
  if (!source) throw new Error('no source')
  return source
}
const tasksOf = async (list: number) =>
  (
    await shop.admin.get<Page<{ status: string; source_type: string; imported_rows: number }>>(
      `/import-tasks?price_list_id=${list}`,
    )
  ).body

/** Every line of every process. */
const logged = () => [...readLogs(shop.product).values()].flatMap((text) => text.split('\n'))

describe('sources of a price list, on their schedule', () => {
  // rules.md#source-type
  it('a URL with a password and a folder of an FTP server are fetched once, and imported', async () => {
    writeFileSync(join(folder, 'price-1.csv'), price('FTP-1'))
    const expected = `Basic ${Buffer.from(`shop:${PASSWORD}`).toString('base64')}`
    const url = host.on('/price.csv', (request, response) => {
      if (request.headers.authorization === expected) response.end(price('URL-1'))
      else response.writeHead(401).end()
    })
    const byUrl = await listWith({ kind: 'url', url, username: 'shop', password: PASSWORD, every_minutes: 600 })
    const byFtp = await listWith({
      kind: 'ftp',
      host: '127.0.0.1',
      port: ftpPort,
      username: 'shop',
      password: PASSWORD,
      pattern: 'price-*.csv',
      every_minutes: 600,
    })
    for (const [list, kind] of [
      [byUrl, 'url'],
      [byFtp, 'ftp'],
    ] as const) {
      expect(
        await waitFor(
          () => sourceOf(list),
          ({ last_run }) => last_run !== null,
          60_000,
        ),
      ).toMatchObject({ password: '***', last_run: { outcome: 'imported', task_id: expect.any(Number) } })
      expect(
        await waitFor(
          () => tasksOf(list),
          ({ data }) => data[0]?.status === 'completed',
          30_000,
        ),
      ).toMatchObject({ total: 1, data: [{ source_type: kind, imported_rows: 1 }] })
    }
    expect(host.hits('/price.csv')).toBe(1)
    const again = (
      await shop.admin.post<{ task_id: number | null; message: string }>(`/price-lists/${byFtp}/sources/1/run`)
    ).body
    expect(again).toEqual({ task_id: null, message: 'The file has not changed since it was imported.' })
  })

  // admin.md#source-run
  it('a failed run describes the error, in its response and afterwards', async () => {
    const list = await listWith({ kind: 'url', url: `${host.url}/missing.csv`, is_active: false })
    const message = 'The host answered HTTP 404.'
    expect((await shop.admin.post(`/price-lists/${list}/sources/1/run`)).body).toEqual({ task_id: null, message })
    expect(await sourceOf(list)).toMatchObject({ last_run: { outcome: 'failed', message, task_id: null } })
  })
})

describe('the log', () => {
  it('has the request id of an upload in every line of its import', async () => {
    const list = await listWith({ kind: 'url', url: `${host.url}/missing.csv`, is_active: false })
    const { body, headers } = await shop.admin.send<{ task_id: number }>('POST', `/price-lists/${list}/upload`, {
      body: formBody([file(price('X-1'), 'p.csv')]),
      headers: { 'content-type': FORM_TYPE, 'x-request-id': 'upload-of-this-test' },
    })
    expect(headers['x-request-id']).toBe('upload-of-this-test')
    const lines = await waitFor(
      () => Promise.resolve(logged().filter((line) => line.includes('"upload-of-this-test"'))),
      (found) => found.some((line) => line.includes('import completed')),
      30_000,
    )
    expect(
      lines
        .filter((line) => line.includes(`"task":${body.task_id}`))
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    ).toEqual(['import started', 'import completed'])
  })

  it('and the admin API contain no password and no token', async () => {
    const audit = JSON.stringify((await shop.admin.get('/audit?per_page=500')).body)
    const lists = JSON.stringify((await shop.admin.get('/price-lists?per_page=500')).body)
    const lines = logged()
    expect(lines.length).toBeGreaterThan(20)
    for (const secret of [
      PASSWORD,
      Buffer.from(`shop:${PASSWORD}`).toString('base64'),
      shop.erpToken,
      shop.product.adminToken,
    ]) {
      expect([audit, lists].filter((text) => text.includes(secret))).toEqual([])
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
    }
  })
})
