import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { getPriceList, patchPriceList, runSource } from '@partsbus/contracts/pricing-import/commands'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { makeCertificate } from '@partsbus/test-kit/make-certificate'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

const TEXT = 'Бренд;Артикул;Количество;Цена\nA;URL-1;5;10\n'
const PASSWORD = 's3cr3t-Word'
const certificate = makeCertificate()

let pricing: PricingUnderTest
let host: Server
let base = ''
let answer: RequestListener
const asked: Array<{ url: string; headers: NodeJS.Dict<string | string[]> }> = []

beforeAll(async () => {
  pricing = await startPricing({
    SOURCE_ALLOWED_HOSTS: ['127.0.0.1', 'localhost'],
    SOURCE_CERTIFICATES: [certificate.cert],
  })
  host = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked.length = 0
})
afterAll(async () => {
  host.close()
  host.closeAllConnections()
  await pricing.stop()
})

const send =
  (text: string, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(text)

async function listWith(source: Partial<PriceListSource>): Promise<{ list: number; source: number }> {
  const list = await pricing.newList({
    sources: [{ kind: 'url', url: `${base}/price.csv`, is_active: false, ...source } as PriceListSource],
  })
  return { list: list.id, source: list.sources[0]?.id ?? 0 }
}
const run = ({ list, source }: { list: number; source: number }) =>
  pricing.ask(runSource, { id: list, source_id: source })
const lastRun = async (list: number) => (await pricing.ask(getPriceList, { id: list })).sources[0]?.last_run

describe('a source of the kind url', () => {
  // rules.md#source-type
  it('is fetched and imported; an unchanged file is not imported again', async () => {
    answer = send(TEXT, { etag: '"v1"' })
    const at = await listWith({})
    const { task_id } = await run(at)
    expect(await pricing.finish(task_id ?? 0)).toMatchObject({
      status: 'completed',
      source_type: 'url',
      file_name: 'price.csv',
      imported_rows: 1,
    })
    expect(await pricing.offers('URL1')).toMatchObject([{ quantity: 5, price: 10 }])
    expect(await lastRun(at.list)).toMatchObject({ outcome: 'imported', task_id })

    answer = (request, response) => {
      response.writeHead(request.headers['if-none-match'] === '"v1"' ? 304 : 500).end()
    }
    expect(await run(at)).toEqual({ task_id: null, message: 'The file has not changed since it was imported.' })
    // a host without validators, the same bytes
    answer = send(TEXT)
    expect(await run(at)).toMatchObject({ task_id: null })
    answer = send(TEXT.replace('5;10', '6;10'))
    const again = await run(at)
    expect(again.task_id).not.toBeNull()
    await pricing.finish(again.task_id ?? 0)
  })

  it('its password is sent to its own host only, and is never shown', async () => {
    answer = (request, response) => {
      if (request.url === '/price.csv')
        response.writeHead(302, { location: `${base.replace('127.0.0.1', 'localhost')}/other.csv` }).end()
      else response.end(TEXT)
    }
    const at = await listWith({ username: 'shop', password: PASSWORD })
    await run(at)
    expect(asked[0]?.headers['authorization']).toBe(`Basic ${Buffer.from(`shop:${PASSWORD}`).toString('base64')}`)
    for (const { url, headers } of asked.slice(1))
      expect([url, headers['authorization']]).toEqual(['/other.csv', undefined])
    const shown = await pricing.ask(getPriceList, { id: at.list })
    expect(shown.sources[0]).toMatchObject({ username: 'shop', password: '***' })
    expect(JSON.stringify(await pricing.db.collection('price_lists').find().toArray())).not.toContain('s3cr3t')
    const { last_run: _, ...source } = shown.sources[0] ?? {}
    await pricing.ask(patchPriceList, { id: at.list, patch: { sources: [source as PriceListSource] } })
    answer = send(TEXT)
    asked.length = 0
    await run(at)
    expect(asked[0]?.headers['authorization']).toContain(Buffer.from(`shop:${PASSWORD}`).toString('base64'))
  })

  it('imports an unchanged file again after its import failed and the format was corrected', async () => {
    answer = send('a;b;c\nA;FORMAT-1;5\n', { etag: '"v1"' })
    const at = await listWith({})
    const failed = await run(at)
    expect(await pricing.finish(failed.task_id ?? 0)).toMatchObject({ status: 'failed' })
    await pricing.ask(patchPriceList, {
      id: at.list,
      patch: { format: { header: true, columns: { brand: 'a', article: 'b', quantity: 'c' } } },
    })
    answer = (request, response) =>
      response.writeHead(request.headers['if-none-match'] ? 304 : 200).end('a;b;c\nA;FORMAT-1;5\n')
    const mended = await run(at)
    expect(await pricing.finish(mended.task_id ?? 0)).toMatchObject({ status: 'completed', imported_rows: 1 })
    expect(await run(at)).toMatchObject({ task_id: null })
  })

  it('imports an unchanged file again when the rules of the list changed', async () => {
    answer = send(TEXT.replace('URL-1', 'URL-2'), { etag: '"v1"' })
    const at = await listWith({})
    await pricing.finish((await run(at)).task_id ?? 0)
    await pricing.ask(patchPriceList, { id: at.list, patch: { markup_percent: 100 } })
    await pricing.finish((await run(at)).task_id ?? 0)
    expect(await pricing.offers('URL2')).toMatchObject([{ price: 20 }])
    expect(await run(at)).toMatchObject({ task_id: null })
  })

  it('keeps a hidden password only for the same server and user', async () => {
    answer = send(TEXT)
    const at = await listWith({ username: 'shop', password: PASSWORD })
    const patch = (change: object) =>
      pricing.ask(patchPriceList, {
        id: at.list,
        patch: {
          sources: [
            {
              id: at.source,
              kind: 'url',
              // an active one would be fetched during a later test
              is_active: false,
              url: `${base}/price.csv`,
              username: 'shop',
              password: '***',
              ...change,
            } as PriceListSource,
          ],
        },
      })
    const elsewhere = base.replace('127.0.0.1', 'localhost')
    for (const change of [
      { url: `${elsewhere}/price.csv` },
      { url: `${base.replace('http:', 'https:')}/price.csv` },
      { username: 'other' },
      { kind: 'ftp', host: '127.0.0.1', url: undefined },
    ])
      await expect(patch(change)).rejects.toMatchObject({
        code: 'CONTRACT_VIOLATION',
        details: {
          errors: {
            'sources.0.password': ['The password must be sent again, because the address changed.'],
          },
        },
      })
    expect((await patch({ url: `${base}/other.csv` })).sources[0]).toMatchObject({ password: '***' })
  })

  it('describes the error in its message', async () => {
    const cases: Array<[RequestListener, string]> = [
      [send('', {}, 404), 'The host answered HTTP 404.'],
      [
        send('x'.repeat(100), {
          'content-type': 'application/zip',
          'content-disposition': 'attachment; filename="a.zip"',
        }),
        'The file is not valid:',
      ],
      [(request, response) => response.writeHead(302, { location: request.url ?? '' }).end(), 'redirects'],
      [
        (_request, response) => response.writeHead(302, { location: 'ftp://example.com/' }).end(),
        'The address cannot be fetched',
      ],
      [
        (_request, response) => response.writeHead(302, { location: 'http://10.1.2.3/x.csv' }).end(),
        'The address of the host is not public: whoever runs this server can allow it with SOURCE_ALLOWED_HOSTS.',
      ],
      [(request) => request.socket.destroy(), 'The host cannot be reached'],
      [send('', { 'content-length': String(1e12) }), 'The file is larger than'],
    ]
    for (const [reply, text] of cases) {
      answer = reply
      const at = await listWith({})
      expect(await run(at)).toEqual({ task_id: null, message: expect.stringContaining(text) })
      expect(await lastRun(at.list)).toMatchObject({
        outcome: 'failed',
        message: expect.stringContaining(text),
        task_id: null,
      })
    }
  })

  it('is not fetched without encryption where a redirect leads from https to http', async () => {
    answer = send(TEXT)
    const secure = createSecureServer({ ...certificate }, (_request, response) =>
      response.writeHead(302, { location: `${base}/price.csv` }).end(),
    )
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
    try {
      const at = await listWith({ url: `https://localhost:${(secure.address() as AddressInfo).port}/price.csv` })
      expect(await run(at)).toEqual({ task_id: null, message: 'The host redirects from https to http.' })
      expect(asked).toEqual([])
    } finally {
      secure.close()
      secure.closeAllConnections()
    }
  })

  it('a password encrypted with another key has a different message than an unreachable host', async () => {
    answer = send(TEXT)
    const at = await listWith({ username: 'shop', password: PASSWORD })
    const sealed = new SecretBox([randomBytes(32)]).seal(PASSWORD)
    await pricing.db
      .collection<{ _id: number }>('price_lists')
      .updateOne({ _id: at.list }, { $set: { 'sources.0.sealed_password': sealed } })
    expect(await run(at)).toEqual({
      task_id: null,
      message: 'The stored password cannot be read with the key that the service has now. Send the password again.',
    })
    expect(asked).toEqual([])
  })

  it('no request is sent to an address that is neither public nor allowed (admin.md#addresses)', async () => {
    answer = send(TEXT)
    const at = await listWith({ url: `${base.replace('127.0.0.1', '127.0.0.2')}/x.csv` } as Partial<PriceListSource>)
    expect(await run(at)).toEqual({
      task_id: null,
      message:
        'The address of the host is not public: whoever runs this server can allow it with SOURCE_ALLOWED_HOSTS.',
    })
    expect(asked).toEqual([])
  })
})
