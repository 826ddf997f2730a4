import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findFreePort } from '@partsbus/local-stack/free-port'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { getPriceList, runSource } from '@partsbus/contracts/pricing-import/commands'
import { FtpSrv } from 'ftp-srv'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import type { PricingImportConfig } from '../config.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { makeCertificate } from '@partsbus/test-kit/make-certificate'

const quiet = { child: () => quiet, trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const text = (name: string) => `Бренд;Артикул;Наименование;Количество\nA;FTP-1;${name};5\n`

const testCertificate = makeCertificate()
let pricing: PricingUnderTest
let server: FtpSrv
let folder = ''
let port = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-ftp-'))
  port = await findFreePort()
  server = new FtpSrv({ url: `ftp://127.0.0.1:${port}`, pasv_url: '127.0.0.1', log: quiet, tls: testCertificate })
  server.on('login', ({ username, password }, resolve, reject) => {
    if (username === 'shop' && password === 'word') resolve({ root: folder })
    else reject(new Error('no'))
  })
  await server.listen()
  pricing = await startPricing({
    SOURCE_ALLOWED_HOSTS: ['localhost', '127.0.0.1'],
    SOURCE_CERTIFICATES: [testCertificate.cert],
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
  await pricing.stop()
})

function put(name: string, content: string, minutesAgo: number): void {
  writeFileSync(join(folder, name), content)
  const at = new Date(Date.now() - minutesAgo * 60_000)
  utimesSync(join(folder, name), at, at)
}

async function listWith(more: object): Promise<{ id: number; source_id: number }> {
  const source = {
    kind: 'ftp',
    host: 'localhost',
    port,
    username: 'shop',
    password: 'word',
    is_active: false,
    ...more,
  } as PriceListSource
  const list = await pricing.newList({ sources: [source] })
  return { id: list.id, source_id: list.sources[0]?.id ?? 0 }
}

function canListen(at: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(at, '127.0.0.1', () => server.close(() => done(true)))
  })
}
const implicit = await canListen(990)

describe('a source of the kind ftp', () => {
  // rules.md#source-type
  it.each([false, true])(
    'imports the newest matching file, and again only after a change (over TLS: %s)',
    async (secure) => {
      put('price-old.csv', text('old'), 300)
      put('price-new.csv', text('new'), 200)
      put('price-newest.pdf', 'x', 1)
      put('other.csv', text('other'), 2)
      const at = await listWith({ pattern: 'price*', secure })
      const first = await pricing.ask(runSource, at)
      expect(first).toEqual({ task_id: expect.any(Number), message: 'The file price-new.csv is being imported.' })
      expect(await pricing.finish(first.task_id ?? 0)).toMatchObject({
        status: 'completed',
        source_type: 'ftp',
        file_name: 'price-new.csv',
      })
      expect(await pricing.ask(runSource, at)).toMatchObject({ task_id: null })
      put('price-later.csv', text('later'), 10)
      const second = await pricing.ask(runSource, at)
      expect(second.message).toContain('price-later.csv')
      await pricing.finish(second.task_id ?? 0)
      rmSync(join(folder, 'price-later.csv'))
    },
  )

  it('a file above the size limit is not imported', async () => {
    put('price-large.csv', text('large'), 1)
    const at = await listWith({ pattern: 'price-large*' })
    expect(await pricing.ask(runSource, at, { 'price-lists.import.max_file_size': 20 })).toEqual({
      task_id: null,
      message: 'The file is larger than 20 bytes.',
    })
    // the limit of the caller counts, not one that was remembered
    expect(await pricing.ask(runSource, at)).toMatchObject({ task_id: expect.any(Number) })
    rmSync(join(folder, 'price-large.csv'))
  })

  // mostly only root may listen on this port
  const onImplicit = implicit ? it : it.skip
  const skipped = implicit ? '' : ' (skipped: this user may not listen there, or another process does)'
  onImplicit(`on port 990 TLS is spoken from the first byte${skipped}`, async () => {
    const other = new FtpSrv({ url: 'ftps://127.0.0.1:990', pasv_url: '127.0.0.1', log: quiet, tls: testCertificate })
    other.on('login', (_data, resolve) => resolve({ root: folder }))
    await other.listen()
    put('price-implicit.csv', text('implicit'), 1)
    const run = await pricing.ask(runSource, await listWith({ port: 990, secure: true, pattern: 'price-implicit*' }))
    expect(run).toEqual({ task_id: expect.any(Number), message: 'The file price-implicit.csv is being imported.' })
    await pricing.finish(run.task_id ?? 0)
    rmSync(join(folder, 'price-implicit.csv'))
    await other.close()
  })

  it('an untrusted certificate is rejected with a message', async () => {
    const at = await listWith({ secure: true })
    const config = pricing.get<PricingImportConfig>(CONFIG)
    const known = config.SOURCE_CERTIFICATES
    config.SOURCE_CERTIFICATES = []
    expect(await pricing.ask(runSource, at)).toEqual({
      task_id: null,
      message: expect.stringMatching(/^The host cannot be trusted, its certificate is not accepted \(.*CERT.*\)\.$/),
    })
    config.SOURCE_CERTIFICATES = known
  })

  it.each<[object, string]>([
    [{ password: 'wrong' }, 'The server answered:'],
    [{ pattern: '*.xls' }, 'No file of a listed type matches "*.xls" in the folder.'],
    [{ path: 'nowhere' }, 'The server answered:'],
    [
      { host: '10.1.2.3' },
      'The address of the host is not public: whoever runs this server can allow it with SOURCE_ALLOWED_HOSTS.',
    ],
    [{ port: 1 }, 'The host cannot be reached'],
  ])('%j fails with a message', async (more, message) => {
    const at = await listWith(more)
    expect(await pricing.ask(runSource, at)).toEqual({ task_id: null, message: expect.stringContaining(message) })
    expect((await pricing.ask(getPriceList, { id: at.id })).sources[0]?.last_run).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining(message),
    })
  })
})
