import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { openStubApp } from '../../testing/stub-app.js'
import { buildDocument } from '../document/document.js'
import { operations } from '../operations/operations.js'
import { curlCommand } from './curl-command.js'
import { html } from './html.js'
import { renderPage } from './render-page.js'
import { renderText } from './render-text.js'

const document = buildDocument(operations, 'https://parts.example.org')
const page = renderPage(document)

describe('the page needs nothing but itself', () => {
  it('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form)\b/i)
    expect(page).not.toMatch(/\ssrc=|\son\w+=|\sstyle=|@import|url\(/i)
  })
  it('every link leads to a place on the page or to the document', () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/\shref="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links.filter((link) => link !== '/docs/json' && !(link.startsWith('#') && ids.has(link.slice(1))))).toEqual(
      [],
    )
    expect(links.length).toBeGreaterThan(100)
  })
  it('no id stands twice', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
  it('every element is closed', () => {
    const open: string[] = []
    const empty = new Set(['meta'])
    for (const [, end, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (end === '') {
        if (!empty.has(name)) open.push(name)
      } else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
  })
})

it('shows every endpoint with its path, its answers and a command', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const article = page.slice(page.indexOf(`<article id="${operation.operationId}">`)).split('</article>')[0]
      expect(article).toContain(`<code>${path}</code>`)
      expect(article).toContain(method.toUpperCase())
      expect(article).toContain('curl ')
      for (const status of Object.keys(operation.responses)) expect(article).toContain(`>${status}</b>`)
    }
  }
})

it('shows every schema', () => {
  for (const name of Object.keys(document.components.schemas)) expect(page).toContain(`<article id="schema-${name}">`)
})

it('texts are escaped', () => {
  expect(
    html`<p>${'<script>"&\''}</p>
      ${false}${undefined}${[html`<b>x</b>`, 1]}`.text,
  ).toBe('<p>&lt;script&gt;&quot;&amp;&#39;</p><b>x</b>1')
})

it('paragraphs, lists and code spans are read from descriptions', () => {
  expect(renderText('One `a<b`.\n\n- first\n- `second`').text).toBe(
    '<p>One <code>a&lt;b</code>.</p>\n<ul><li>first</li><li><code>second</code></li></ul>\n',
  )
})

describe('a command can be pasted', () => {
  const operation = (path: string, method: string) => document.paths[path]![method]!
  it('with token, body and quotes', () => {
    const post = structuredClone(operation('/api/erp/categories/delete', 'post'))
    post.requestBody!.content['application/json']!.examples!.ids!.value = { ids_erp: ["O'Neil"] }
    expect(curlCommand('http://h', '/api/erp/categories/delete', 'post', post)).toBe(
      [
        "curl -X POST 'http://h/api/erp/categories/delete' \\",
        '  -H "Authorization: Bearer $ERP_TOKEN" \\',
        "  -H 'Content-Type: application/json' \\",
        "  -d '{\n  \"ids_erp\": [\n    \"O'\\''Neil\"\n  ]\n}'",
      ].join('\n'),
    )
  })
  it('with the examples of path parameters', () => {
    expect(
      curlCommand(
        'http://h',
        '/api/admin/products/by-erp-id/{erp_id}',
        'get',
        operation('/api/admin/products/by-erp-id/{erp_id}', 'get'),
      ),
    ).toBe('curl \'http://h/api/admin/products/by-erp-id/P%2F0001\' \\\n  -H "Authorization: Bearer $ADMIN_TOKEN"')
  })
})

describe('over HTTP', () => {
  it('the page and the document need no token, and the style sheet is the one the policy allows', async () => {
    const stub = await openStubApp()
    const [answer, slashed, json] = await Promise.all(
      ['/docs', '/docs/', '/docs/json'].map((url) => stub.ask({ url, headers: { host: 'gateway.test:81' } })),
    )
    await stub.close()
    expect([answer?.statusCode, slashed?.statusCode, json?.statusCode]).toEqual([200, 200, 200])
    expect(answer?.headers['content-type']).toBe('text/html; charset=utf-8')
    const style = /<style>([^]*)<\/style>/.exec(answer?.body ?? '')?.[1] ?? ''
    expect(answer?.headers['content-security-policy']).toContain(
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    )
    expect(answer?.headers['content-security-policy']).toContain("default-src 'none'")
    expect(slashed?.body).toBe(answer?.body)
    expect(answer?.body).toContain('curl &#39;http://gateway.test:81/api/erp/ping&#39;')
    expect(json?.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json?.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://gateway.test:81' }] })
  })
  it('PUBLIC_URL is the base that is shown', async () => {
    const stub = await openStubApp({ env: { PUBLIC_URL: "https://parts.example.org/a'b/" } })
    const [answer, json] = await Promise.all(['/docs', '/docs/json'].map((url) => stub.ask({ url })))
    await stub.close()
    expect(json?.json()).toMatchObject({ servers: [{ url: "https://parts.example.org/a'b" }] })
    expect(answer?.body).toContain('https://parts.example.org/a&#39;b/api/erp/ping')
    expect(answer?.body).not.toContain('base-url.invalid')
  })
})
