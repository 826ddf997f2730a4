import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { tooManyItems } from '@partsbus/contracts/batch'
import { runRecorded } from '../testing/recorded-terminal.js'

interface Sent {
  headers: IncomingHttpHeaders
  items: unknown[]
}

const folder = mkdtempSync(join(tmpdir(), 'partsbus-push-'))
let gateway: Server
let sent: Sent[]
/** whether the next connection is reset without an answer */
let dropNext = false
let answer: (items: unknown[]) => { status: number; body: object; headers?: Record<string, string> }

beforeAll(async () => {
  gateway = createServer((request, response) => {
    if (dropNext) {
      dropNext = false
      request.socket.destroy()
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const items = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown[]
      sent.push({ headers: request.headers, items })
      const { status, body, headers } = answer(items)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  sent = []
  answer = (items) => ({ status: 200, body: { processed: items.length, created: items.length } })
})
afterAll(() => {
  gateway.closeAllConnections()
  gateway.close()
  rmSync(folder, { recursive: true })
})

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const product = (id: number) => `{"id_erp": "P-${id}", "name": "Filter"}`
const products = (count: number) =>
  write('products.ndjson', Array.from({ length: count }, (_, id) => product(id)).join('\n'))
const detail = (index: number, level: string, code: string) => ({
  index,
  key: `P-${index}`,
  path: '',
  code,
  level,
  message: 'A text.',
  reason: null,
})

function push(path: string, ...options: string[]) {
  const { port } = gateway.address() as AddressInfo
  return runRecorded(['erp', 'push', path, ...options], { PARTSBUS_URL: `http://127.0.0.1:${port}`, ERP_TOKEN: 't' })
}

describe('a file that is no lines of JSON in UTF-8', () => {
  const cyrillic = Buffer.concat([Buffer.from(`${product(1)}\n{"id_erp": "P-2", "name": "`), Buffer.from([0xc4, 0xe2])])
  const files: [name: string, content: Buffer, text: string][] = [
    [
      'windows-1251',
      Buffer.concat([cyrillic, Buffer.from('"}\n')]),
      ':2 is not UTF-8 from byte 27 of the line on. Save it as UTF-8.',
    ],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${product(1)}`, 'utf16le'), ' is UTF-16. Save it as UTF-8.'],
    ['UTF-16 without a mark', Buffer.from(product(1), 'utf16le'), ' is UTF-16. Save it as UTF-8.'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), ' is compressed with gzip. Unpack it first.'],
    ['an array', Buffer.from(`\uFEFF\n[${product(1)}]`), ' is a JSON array. Write one item per line'],
    [
      'the body of a batch',
      Buffer.from(`{"products": [${product(1)}]}`),
      ' has its items in the list "products". Write',
    ],
    ['an endless line', Buffer.alloc(9 * 1024 * 1024, 'x'), ' has a line of more than 8 MiB.'],
  ]

  it.each(files)('%s is refused, and nothing of its batch is sent', async (_name, content, text) => {
    const path = write('foreign.ndjson', content)
    for (const options of [[], ['--dry-run']]) {
      const { code, errors } = await push(path, ...options)
      expect(errors).toContain(`${path}${text}`)
      expect({ code, sent }).toEqual({ code: 2, sent: [] })
    }
  })

  it('reports the batches that were sent before', async () => {
    const { code, output, errors } = await push(write('half.ndjson', `${product(1)}\n{`), '--batch', '1')
    expect(output).toBe('1 item in 1 batch: 1 processed, 1 created, 0 failed\n')
    expect([code, errors]).toEqual([2, expect.stringContaining('half.ndjson:2 is not JSON')])
  })

  it('keeps characters that lie across the chunks of the file', async () => {
    const name = 'Я'.repeat(60)
    const lines = Array.from({ length: 1_500 }, (_, id) => JSON.stringify({ id_erp: `P-${id}`, name: `${name}${id}` }))
    await push(write('long.ndjson', lines.join('\r\n')), '--batch', '5000')
    expect(sent.flatMap(({ items }) => items)).toEqual(lines.map((line) => JSON.parse(line)))
  })
})

it('prints 20 findings of each level, and counts the rest', async () => {
  const items = Array.from({ length: 30 }, (_, at) => detail(at, 'retrying', 'category_not_found'))
  answer = () => ({
    status: 200,
    body: { created: 31, details: { items: [...items, detail(30, 'note', 'slug_taken')] } },
  })
  const { code, output } = await push(products(31))
  const lines = output.trimEnd().split('\n')
  expect(lines).toHaveLength(23)
  expect(lines.slice(20)).toEqual([
    'line 31 P-30 note: A text.',
    '… and 10 more retrying; --json lists all',
    '31 items in 1 batch: 31 created, 0 failed',
  ])
  expect(code).toBe(0)
})

it('counts pictures apart from items', async () => {
  const items = [detail(0, 'failed', 'image_failed'), detail(1, 'rejected', 'required')]
  answer = () => ({ status: 200, body: { created: 1, details: { items } } })
  const { code, output } = await push(products(2))
  expect(output).toContain('2 items in 1 batch: 1 created, 1 failed, 1 picture failed')
  expect(code).toBe(2)
})

it('counts an item once that breaks several constraints', async () => {
  const items = [detail(0, 'rejected', 'required'), detail(0, 'rejected', 'max')]
  answer = () => ({ status: 200, body: { created: 1, details: { items } } })
  expect((await push(products(2))).output).toContain('2 items in 1 batch: 1 created, 1 failed')
})

it('names the fields that are ignored, and counts the items that were stored already', async () => {
  const details = { unchanged: 1, ignored_fields: { Единица: 1, price: 1 }, items: [] }
  answer = () => ({ status: 200, body: { updated: 1, details } })
  const { code, output } = await push(products(2), '--batch', '1')
  expect([code, output.trimEnd().split('\n')]).toEqual([
    0,
    [
      'field Единица ignored: 2 times',
      'field price ignored: 2 times',
      '2 items in 2 batches: 2 updated, 2 unchanged, 0 failed',
    ],
  ])
  const file = write('unknown-field.ndjson', '{"id_erp": "P-1", "name": "N", "price": 5}')
  expect((await push(file, '--dry-run')).output).toContain('field price ignored: 1 time')
})

it('splits batches that are larger than the gateway takes', async () => {
  answer = (items) =>
    items.length > 2
      ? { status: 422, body: { message: 'Invalid.', errors: { products: [tooManyItems('products', 2)] } } }
      : { status: 200, body: { created: items.length } }
  const { code, output, errors } = await push(products(5), '--batch', '4')
  expect(errors).toBe('The gateway takes 2 items at most, so batches are split.\n')
  expect(output).toBe('5 items in 3 batches: 5 created, 0 failed\n')
  expect(sent.map(({ items }) => items.length)).toEqual([4, 2, 2, 1])
  expect(code).toBe(0)
})

it('does not repeat a batch while the integration is disabled', async () => {
  answer = () => ({ status: 503, body: { message: 'ERP integration is disabled.' } })
  const { code, errors } = await push(products(1))
  expect(errors).toContain('ERP integration is disabled. (HTTP 503')
  expect([code, sent.length]).toEqual([3, 1])
})

it('repeats a batch that is answered 503 for another reason', async () => {
  answer = () =>
    sent.length === 1
      ? { status: 503, body: { message: 'Service temporarily unavailable.' }, headers: { 'retry-after': '0' } }
      : { status: 200, body: { created: 1 } }
  expect(await push(products(1))).toMatchObject({ code: 0, errors: expect.stringContaining('Repeating in 0 s.') })
  expect(sent).toHaveLength(2)
})

it('says why the gateway does not answer, before it repeats the batch', async () => {
  dropNext = true
  const { code, errors } = await push(products(1))
  expect(errors).toMatch(/^The gateway did not answer: .+\. Repeating in (0\.[5-9]|1) s\.$/m)
  expect([code, errors.includes('fetch failed')]).toEqual([0, false])
})

it('sends the headers that its options name', async () => {
  const options = ['--update-mode', 'replace', '--full-sync', 'abc', '--request-id', 'load', '--batch', '1']
  expect((await push(products(2), ...options)).code).toBe(0)
  expect(sent[0]?.headers).toMatchObject({
    'x-update-mode': 'replace',
    'x-full-sync': 'abc',
    'x-error-policy': 'reject-failed-rows',
    'x-result-details': '1',
  })
  expect(sent.map(({ headers }) => headers['x-request-id'])).toEqual(['load-1', 'load-2'])
})
