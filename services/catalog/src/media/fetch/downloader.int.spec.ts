import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { gzipSync } from 'node:zlib'
import { type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { png, pngHeader } from '@partsbus/test-kit/png'
import { cpuMs } from '@partsbus/test-kit/durations'
import { Downloader, type DownloaderOptions } from './downloader.js'
import type { DownloadResult } from './download-result.js'

const LOOPBACK = ['127.0.0.1']
const never = new AbortController().signal
let host: ImageHost
const opened: Downloader[] = []

beforeAll(async () => {
  host = await startImageHost()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((downloader) => downloader.close()))
})
afterAll(() => host.close())

function open(options: Partial<DownloaderOptions> = {}): Downloader {
  const downloader = new Downloader({
    lookup: () => Promise.resolve([]),
    connectionsPerHost: 8,
    deadlineMs: 8_000,
    deadHostMs: 60_000,
    ...options,
  })
  opened.push(downloader)
  return downloader
}

async function get(
  path: string,
  options: { downloader?: Downloader; allowed?: string[] } = {},
): Promise<DownloadResult> {
  const result = await (options.downloader ?? open()).download(
    path.startsWith('/') ? host.url + path : path,
    options.allowed ?? LOOPBACK,
    undefined,
    never,
  )
  if (result.outcome === 'downloaded') result.release()
  return result
}

// rules.md#images-guard, promises.md#promise-7
describe('no connection is made to an address that is not public', () => {
  const other = (hostname: string): string => `http://${hostname}:${host.port}/a.png`

  it.each([
    ['127.0.0.1'],
    ['[::ffff:7f00:1]'],
    ['2130706433'],
    ['0x7f.1'],
    ['0'],
    ['0177.0.0.1'],
    ['127.1'],
    ['[::1]'],
    ['[::]'],
    ['[::127.0.0.1]'],
    ['[64:ff9b::7f00:1]'],
  ])('by its literal: %s', async (hostname) => {
    const before = host.connections()
    expect(await get(other(hostname), { allowed: [] })).toEqual({
      outcome: 'failed',
      reason: 'the address is not public',
      transient: false,
    })
    expect(host.connections()).toBe(before)
  })

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['a public one and then loopback', ['93.184.216.34', '127.0.0.1']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['the cloud’s metadata', ['169.254.169.254']],
  ])('by a name that resolves to %s', async (_name, addresses) => {
    const before = host.connections()
    expect(
      await get(other('shop.example'), { allowed: [], downloader: open({ lookup: () => Promise.resolve(addresses) }) }),
    ).toMatchObject({ outcome: 'failed', transient: false })
    expect(host.connections()).toBe(before)
  })

  it('after a redirect', async () => {
    const second = await startImageHost()
    for (const target of [
      `http://localhost:${second.port}/a.png`,
      `http://[::1]:${second.port}/a.png`,
      `//0x7f.2:${second.port}/a.png`,
      'file:///etc/passwd',
      `http://a:b@127.0.0.1:${host.port}/`,
    ]) {
      host.on('/away', (_request, response) => response.writeHead(302, { location: target }).end())
      const downloader = open({ lookup: () => Promise.resolve(['127.0.0.3']) })
      expect([target, await get('/away', { downloader })]).toEqual([
        target,
        expect.objectContaining({ outcome: 'failed', transient: false }),
      ])
    }
    expect(second.connections()).toBe(0)
    await second.close()
  })

  it('connects to the checked address although the name points elsewhere by then', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    let asked = 0
    host.on('/a.png', sendImage(png()))
    const downloader = open({ lookup: () => Promise.resolve(answers[asked++] ?? []) })
    expect(await get(other('shop.example'), { downloader })).toMatchObject({ outcome: 'downloaded' })
    expect(asked).toBe(1)
  })

  it('does not use an allowed connection for a request to which it is not allowed', async () => {
    host.on('/a.png', sendImage(png()))
    const downloader = open()
    expect(await get('/a.png', { downloader })).toMatchObject({ outcome: 'downloaded' })
    const before = host.requests.length
    expect(await get('/a.png', { downloader, allowed: [] })).toMatchObject({ outcome: 'failed' })
    expect(host.requests).toHaveLength(before)
  })
})

describe('permanent failures (rules.md#images-limits)', () => {
  const header = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(64)])
  it.each([
    ['HTML named .jpg', Buffer.from('<!doctype html><html><body>not found, sorry</body></html>'), {}, 'not a JPEG'],
    [
      'SVG with a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      { 'content-type': 'image/svg+xml' },
      'not a JPEG',
    ],
    ['an empty body', Buffer.alloc(0), {}, 'not a JPEG'],
    ['11 MB by its length', Buffer.alloc(11 * 1024 * 1024, png()), {}, 'larger than'],
    ['60,000 by 60,000 pixels', header(pngHeader(60_000, 60_000)), {}, 'pixels'],
    ['one pixel above 40 megapixels', header(pngHeader(40_000_001, 1)), {}, 'pixels'],
    ['a gzip bomb', gzipSync(Buffer.alloc(1_000_000)), { 'content-encoding': 'gzip' }, 'content encoding'],
  ])('%s', async (_name, bytes, headers, reason) => {
    host.on('/bad.jpg', sendImage(bytes, headers))
    expect(await get('/bad.jpg')).toEqual({
      outcome: 'failed',
      transient: false,
      reason: expect.stringContaining(reason),
    })
  })

  it('11 MB without a length, which are not read to the end', async () => {
    let sent = 0
    host.on('/endless.png', (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(sent === 0 ? png() : Buffer.alloc(65_536))) sent += 65_536
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    expect(await get('/endless.png')).toEqual({
      outcome: 'failed',
      transient: false,
      reason: expect.stringContaining('larger than'),
    })
    expect(sent).toBeLessThan(40_000_000)
  })

  it('a redirect loop after three redirects', async () => {
    let asked = 0
    host.on('/loop', (_request, response) => {
      asked += 1
      response.writeHead(301, { location: '/loop' }).end()
    })
    expect(await get('/loop')).toEqual({ outcome: 'failed', transient: false, reason: 'more than 3 redirects' })
    expect(asked).toBe(4)
  })

  it.each([400, 401, 403, 404, 410, 206, 204, 304])('status %d', async (status) => {
    host.on('/status', (_request, response) => response.writeHead(status).end())
    expect(await get('/status')).toEqual({ outcome: 'failed', transient: false, reason: `HTTP ${status}` })
  })
})

describe('transient failures', () => {
  it.each([500, 502, 503, 408, 429])('status %d', async (status) => {
    host.on('/status', (_request, response) => response.writeHead(status).end())
    expect(await get('/status')).toEqual({ outcome: 'failed', transient: true, reason: `HTTP ${status}` })
  })

  it('a server that sends a byte at a time, after the time limit', async () => {
    host.on('/drip.png', (_request, response) => {
      response.writeHead(200, { 'content-length': png().length })
      const timer = setInterval(() => response.write(png().subarray(0, 1)), 50)
      response.on('close', () => clearInterval(timer))
    })
    const start = performance.now()
    expect(await get('/drip.png', { downloader: open({ deadlineMs: 400 }) })).toEqual({
      outcome: 'failed',
      transient: true,
      reason: 'the time limit was reached',
    })
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it('a connection that breaks in the middle', async () => {
    host.on('/cut.png', (_request, response) => {
      response.writeHead(200, { 'content-length': 5_000 })
      response.write(png(), () => response.destroy())
    })
    expect(await get('/cut.png')).toMatchObject({ outcome: 'failed', transient: true })
  })

  it('a host that refuses connections, which is then not tried for a while', async () => {
    const gone = await startImageHost()
    await gone.close()
    const downloader = open()
    expect(await get(`${gone.url}/a.png`, { downloader })).toEqual({
      outcome: 'failed',
      transient: true,
      reason: 'ECONNREFUSED',
    })
    const spent = await cpuMs(() =>
      Promise.all(Array.from({ length: 2_000 }, (_, at) => get(`${gone.url}/${at}.png`, { downloader }))),
    )
    expect(spent).toBeLessThan(5_000)
  })

  it('a name that does not resolve, which is looked up once', async () => {
    let asked = 0
    const downloader = open({
      lookup: () => {
        asked += 1
        return Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
      },
    })
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) => get(`http://nowhere.example/${at}.png`, { downloader })),
    )
    expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
      new Set([
        JSON.stringify({ outcome: 'failed', reason: 'the name cannot be resolved (ENOTFOUND)', transient: true }),
      ]),
    )
    expect(asked).toBe(1)
  })
})

it('a resolver that does not answer delays a batch once', async () => {
  let asked = 0
  const lookup = (): Promise<never> => {
    asked += 1
    return new Promise(() => undefined)
  }
  const downloader = open({ lookup, deadlineMs: 300 })
  for (let at = 0; at < 50; at += 1) {
    expect(await get(`http://slow.example/${at}.png`, { downloader })).toEqual({
      outcome: 'failed',
      transient: true,
      reason: 'the name cannot be resolved (no answer in time)',
    })
  }
  expect(asked).toBe(1)
})

describe('a download', () => {
  it('follows three redirects, relative ones included', async () => {
    host.on('/1', (_request, response) => response.writeHead(301, { location: '/2' }).end())
    host.on('/2', (_request, response) => response.writeHead(307, { location: `${host.url}/3` }).end())
    host.on('/3', (_request, response) => response.writeHead(308, { location: 'a.png' }).end())
    host.on('/a.png', sendImage(png(), { etag: '"x"' }))
    expect(await get('/1')).toMatchObject({ outcome: 'downloaded', final_url: `${host.url}/a.png`, etag: '"x"' })
  })

  it('uses the next address when one does not answer', async () => {
    host.on('/a.png', sendImage(png()))
    const downloader = open({ lookup: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) })
    expect(
      await get(`http://shop.example:${host.port}/a.png`, { downloader, allowed: ['shop.example'] }),
    ).toMatchObject({ outcome: 'downloaded' })
  })

  it('sends no validators of another URL', async () => {
    const seen: unknown[] = []
    host.on('/a.png', (request, response) => {
      seen.push(request.headers['if-none-match'])
      sendImage(png())(request, response)
    })
    const known = { final_url: `${host.url}/b.png`, etag: '"x"', last_modified: null }
    const result = await open().download(`${host.url}/a.png`, LOOPBACK, known, never)
    expect([result.outcome, seen]).toEqual(['downloaded', [undefined]])
  })
})
