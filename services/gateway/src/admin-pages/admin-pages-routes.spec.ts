import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openStubApp } from '../testing/stub-app.js'
import { readPageFiles } from './page-files.js'

const SCRIPT = 'console.log("page")'
const INDEX = '<script src="/admin/app.js?v=abc123"></script>'

let folder: string
let stub: Awaited<ReturnType<typeof openStubApp>>

/** A build as Vite leaves it, small. */
function writeBuild() {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-pages-'))
  mkdirSync(join(folder, 'assets'))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  write('index.html', INDEX)
  write('app.js', 'start()')
  write('assets/main-0a1b2c.js', SCRIPT)
  write('assets/style-0a1b2c.css', 'a{}')
  writeFileSync(join(folder, 'version.txt'), 'abc123')
  writeFileSync(join(folder, 'licenses.txt'), '# Licenses')
  writeFileSync(join(folder, '.built-for'), 'secret of the build')
}

beforeAll(async () => {
  writeBuild()
  stub = await openStubApp({ pages: readPageFiles(folder, '') })
})
afterAll(async () => {
  await stub?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a page (admin.md#pages-files)', () => {
  it.each(['/admin', '/admin/', '/admin/imports/7', '/admin/price-lists/7/format?x=a.b'])(
    '%s is index.html',
    async (url) => {
      const { statusCode, headers, body } = await stub.ask({ url })
      expect([statusCode, body]).toEqual([200, INDEX])
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    },
  )

  it('is answered 304 to who has it', async () => {
    const { etag = '' } = (await stub.ask({ url: '/admin' })).headers
    const again = await stub.ask({ url: '/admin/imports', headers: { 'if-none-match': `W/"other", ${etag}` } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('is where the root of the gateway leads', async () => {
    const { statusCode, headers } = await stub.ask({ url: '/' })
    expect([statusCode, headers.location]).toEqual([302, '/admin'])
  })

  it.each([
    '/admin/nothing.js',
    '/admin/assets/main-ffffff.js',
    '/admin/.built-for',
    '/admin/version.txt',
    '/admin/../package.json',
  ])('%s is 404 and never stored', async (url) => {
    const { statusCode, headers, json } = await stub.ask({ url })
    expect([statusCode, json()]).toEqual([404, { message: 'Not found.' }])
    expect(headers['cache-control']).toBe('no-store')
  })

  it('says how to build it where it is not built', async () => {
    const bare = await openStubApp()
    const { statusCode, body } = await bare.ask({ url: '/admin/imports' })
    await bare.close()
    expect(statusCode).toBe(503)
    expect(body).toContain('npm start')
  })

  it('names its files below the path of PUBLIC_URL', async () => {
    const other = await openStubApp({
      env: { PUBLIC_URL: 'https://parts.example.org/shop/' },
      pages: readPageFiles(folder, '/shop'),
    })
    const page = await other.ask({ url: '/admin' })
    const root = await other.ask({ url: '/' })
    await other.close()
    expect(page.body).toContain('src="/shop/admin/app.js?v=abc123"')
    expect(root.headers.location).toBe('/shop/admin')
    expect(page.headers['content-security-policy']).toContain("img-src 'self' https://parts.example.org;")
  })
})

describe('a file of the pages (admin.md#pages-files)', () => {
  it('has the licenses of what is compiled in', async () => {
    const { statusCode, headers, body } = await stub.ask({ url: '/admin/licenses.txt' })
    expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/plain; charset=utf-8', '# Licenses'])
  })

  it('is stored for a year when its name has a hash', async () => {
    const { headers, body } = await stub.ask({ url: '/admin/assets/main-0a1b2c.js' })
    expect(body).toBe(SCRIPT)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
  })

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is compressed for a client that accepts %s', async (accepted, encoding, unpack) => {
    const url = '/admin/assets/main-0a1b2c.js'
    const { headers, bytes } = await stub.ask({ url, headers: { 'accept-encoding': accepted } })
    expect(headers['content-encoding']).toBe(encoding)
    expect(unpack(bytes).toString()).toBe(SCRIPT)
  })

  it('is plain for a client that accepts nothing else', async () => {
    const { headers } = await stub.ask({
      url: '/admin/assets/style-0a1b2c.css',
      headers: { 'accept-encoding': 'zstd' },
    })
    expect([headers['content-encoding'], headers['content-type']]).toEqual([undefined, 'text/css; charset=utf-8'])
  })
})

describe('the starting script (admin.md#pages-version)', () => {
  it.each([
    ['/admin/app.js?v=abc123', 'public, max-age=31536000, immutable'],
    ['/admin/app.js?v=older', 'no-store'],
    ['/admin/app.js', 'no-cache'],
  ])('%s is answered with %s', async (url, caching) => {
    const { statusCode, body, headers } = await stub.ask({ url })
    expect([statusCode, body, headers['cache-control']]).toEqual([200, 'start()', caching])
  })
})

describe('every answer below /admin (admin.md#pages-headers)', () => {
  it.each(['/admin', '/admin/app.js', '/admin/assets/main-0a1b2c.js', '/admin/nothing.js'])(
    '%s has the policy of the pages',
    async (url) => {
      const { headers } = await stub.ask({ url })
      const policy = String(headers['content-security-policy']).split('; ')
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
      expect(headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      })
    },
  )
})
