import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openStubApp } from '../testing/stub-app.js'
import { writeDocuments } from '@partsbus/openapi/write-documents'

const documents = mkdtempSync(join(tmpdir(), 'partsbus-documents-'))
let stub: Awaited<ReturnType<typeof openStubApp>>
beforeAll(async () => {
  writeDocuments(documents)
  stub = await openStubApp({ documents })
})
afterAll(async () => {
  await stub?.close()
  rmSync(documents, { recursive: true })
})

const host = { host: 'gateway.test:81' }

describe('the page', () => {
  it('is public and the same with and without a trailing slash', async () => {
    const [page, slashed] = await Promise.all(['/docs', '/docs/'].map((url) => stub.ask({ url, headers: host })))
    expect([page?.statusCode, page?.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(slashed?.body).toBe(page?.body)
  })

  it('loads files of this origin only, all of which exist', async () => {
    const page = await stub.ask({ url: '/docs', headers: host })
    const links = [...page.body.matchAll(/\s(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links).toHaveLength(5)
    for (const url of links) {
      expect(url).toMatch(/^\/docs\//)
      expect((await stub.ask({ url })).statusCode).toBe(200)
    }
  })

  it('runs under a policy that allows no inline script, no inline style and no other origin', async () => {
    const page = await stub.ask({ url: '/docs' })
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(page.body).not.toMatch(/<style|\sstyle=|\son\w+=|<script>/i)
  })

  it('sends the requests of "try it out" to the gateway and no request to a validator', async () => {
    const script = (await stub.ask({ url: '/docs/start.js' })).body
    let options: Record<string, unknown> = {}
    runInNewContext(script, {
      URL,
      document: { currentScript: { src: 'http://gateway.test:81/prefix/docs/start.js' } },
      SwaggerUIBundle: (given: Record<string, unknown>) => {
        options = given
      },
    })
    expect(options).toMatchObject({ url: 'http://gateway.test:81/prefix/docs/json', validatorUrl: null })
  })

  it('names its files below the path of PUBLIC_URL', async () => {
    const other = await openStubApp({ env: { PUBLIC_URL: 'https://parts.example.org/shop/' } })
    const page = await other.ask({ url: '/docs' })
    await other.close()
    expect(page.body).toContain('src="/shop/docs/start.js"')
  })
})

describe('a file of the page', () => {
  it('is compressed for clients that accept gzip', async () => {
    const plain = await stub.ask({ url: '/docs/swagger-ui.css' })
    const packed = await stub.ask({ url: '/docs/swagger-ui.css', headers: { 'accept-encoding': 'br, gzip' } })
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4)
  })

  it('is not sent again to a client that has it', async () => {
    const { headers } = await stub.ask({ url: '/docs/swagger-ui.css' })
    const again = await stub.ask({ url: '/docs/swagger-ui.css', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('returns 404 for files of the package that the page does not use', async () => {
    expect((await stub.ask({ url: '/docs/oauth2-redirect.html' })).statusCode).toBe(404)
  })
})

describe('the document', () => {
  it('names the host of the request as its server', async () => {
    const json = await stub.ask({ url: '/docs/json', headers: host })
    expect([json.statusCode, json.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://gateway.test:81' }] })
  })

  it('is not sent again to a client that has it, and is another one for another host', async () => {
    const { headers } = await stub.ask({ url: '/docs/json', headers: host })
    const known = { 'if-none-match': String(headers.etag) }
    const again = await stub.ask({ url: '/docs/json', headers: { ...host, ...known } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const other = await stub.ask({ url: '/docs/json', headers: { host: 'other.test', ...known } })
    expect(other.json()).toMatchObject({ servers: [{ url: 'http://other.test' }] })
  })

  it('names PUBLIC_URL as its server where it is set', async () => {
    const other = await openStubApp({ documents, env: { PUBLIC_URL: "https://parts.example.org/a'b/" } })
    const json = await other.ask({ url: '/docs/json' })
    await other.close()
    expect(json.json()).toMatchObject({ servers: [{ url: "https://parts.example.org/a'b" }] })
    expect(json.body).not.toContain('base-url.invalid')
  })

  it('offers the token of each API to "try it out"', async () => {
    const { components } = (await stub.ask({ url: '/docs/json' })).json() as {
      components: { securitySchemes: Record<string, { type: string; scheme: string }> }
    }
    for (const name of ['erp', 'b2b', 'admin'])
      expect(components.securitySchemes[name]).toMatchObject({ type: 'http', scheme: 'bearer' })
  })

  // admin.md#docs
  it.each([
    ['erp', ['erp'], '/api/erp/'],
    ['partners', ['b2b'], '/api/b2b/'],
    ['admin', ['admin', 'session'], '/api/admin/'],
  ])('has the calls and the tokens of one API alone: %s.json', async (name, schemes, prefix) => {
    const { paths, components } = (await stub.ask({ url: `/docs/${name}.json`, headers: host })).json() as {
      paths: object
      components: { securitySchemes: object }
    }
    expect(Object.keys(paths).length).toBeGreaterThan(4)
    expect(Object.keys(paths).filter((path) => !path.startsWith(prefix))).toEqual([])
    expect(Object.keys(components.securitySchemes)).toEqual(schemes)
  })

  it('says how to build it where it is not built', async () => {
    const bare = await openStubApp({ documents: join(documents, 'nowhere') })
    const { statusCode, body } = await bare.ask({ url: '/docs/json' })
    await bare.close()
    expect(statusCode).toBe(503)
    expect(body).toContain('npm start')
  })
})
