import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { runSource } from '@partsbus/contracts/pricing-import/commands'
import hoodiecrow from 'hoodiecrow-imap'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'
import { makeCertificate } from '@partsbus/test-kit/make-certificate'

const testCertificate = makeCertificate()
let pricing: PricingUnderTest
let server: ReturnType<typeof hoodiecrow>
let port = 0

/** A message with one attachment. */
function message({ from = 'prices@supplier.example', subject = 'Price list', file = 'price.csv', name = 'x' }): string {
  const content = Buffer.from(`Бренд;Артикул;Наименование;Количество\nA;MAIL-1;${name};5\n`).toString('base64')
  return [
    `From: Supplier <${from}>`,
    'To: shop@shop.example',
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello',
    '--b',
    `Content-Type: application/octet-stream; name="${file}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${file}"`,
    '',
    content,
    '--b--',
    '',
  ].join('\r\n')
}

beforeAll(async () => {
  server = hoodiecrow({
    secureConnection: true,
    credentials: { ...testCertificate },
    storage: {
      INBOX: {
        messages: [
          { raw: message({ name: 'old' }), flags: ['\\Seen'] },
          { raw: message({ name: 'read already' }), flags: ['\\Seen'] },
          { raw: message({ from: 'spam@other.example' }) },
        ],
      },
    },
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.server.address() as AddressInfo).port
  pricing = await startPricing({
    SOURCE_ALLOWED_HOSTS: ['localhost', '127.0.0.1'],
    SOURCE_CERTIFICATES: [testCertificate.cert],
  })
})
afterAll(async () => {
  await pricing.stop()
  await new Promise<void>((done) => server.close(done))
})

async function listWith(more: object = {}): Promise<{ id: number; source_id: number }> {
  const source = {
    kind: 'email',
    host: 'localhost',
    port,
    username: 'testuser',
    password: 'testpass',
    folder: 'INBOX',
    from: '*@supplier.example',
    subject: 'price*',
    file_name: '*.csv',
    is_active: false,
    ...more,
  } as PriceListSource
  const list = await pricing.newList({ sources: [source] })
  return { id: list.id, source_id: list.sources[0]?.id ?? 0 }
}

describe('a source of the kind email', () => {
  // rules.md#source-type
  it('imports the attachment of the newest matching message, read or unread, and then the next one', async () => {
    const at = await listWith()
    const first = await pricing.ask(runSource, at)
    expect(first).toEqual({ task_id: expect.any(Number), message: 'The file price.csv is being imported.' })
    expect(await pricing.finish(first.task_id ?? 0)).toMatchObject({ status: 'completed', source_type: 'email' })
    expect(await pricing.offers('MAIL-1')).toMatchObject([{ name: 'read already' }])
    expect(await pricing.ask(runSource, at)).toMatchObject({ task_id: null })
    server.appendMessage('INBOX', [], false, message({ subject: 'Invoice', name: 'no' }))
    server.appendMessage('INBOX', [], false, message({ file: 'terms.pdf', name: 'no' }))
    expect(await pricing.ask(runSource, at)).toMatchObject({ task_id: null })
    server.appendMessage('INBOX', [], false, message({ name: 'fresh' }))
    const second = await pricing.ask(runSource, at)
    await pricing.finish(second.task_id ?? 0)
    expect(await pricing.offers('MAIL-1')).toMatchObject([{ name: 'fresh' }])
  })

  it('subjects and file names may be encoded as mail programs do', async () => {
    const at = await listWith({ subject: 'прайс*', file_name: '*.csv' })
    server.appendMessage(
      'INBOX',
      [],
      false,
      message({
        subject: `=?UTF-8?B?${Buffer.from('Прайс-лист на пятницу').toString('base64')}?=`,
        file: `=?UTF-8?B?${Buffer.from('цены.csv').toString('base64')}?=`,
        name: 'encoded',
      }),
    )
    const run = await pricing.ask(runSource, at)
    expect(run).toEqual({ task_id: expect.any(Number), message: 'The file цены.csv is being imported.' })
    expect(await pricing.finish(run.task_id ?? 0)).toMatchObject({ status: 'completed', file_name: 'цены.csv' })
  })

  it('a message that did not match is not examined again', async () => {
    const at = await listWith({ from: 'nobody@*' })
    expect(await pricing.ask(runSource, at)).toMatchObject({ task_id: null })
    const stored = await pricing.stores.lists.find(at.id)
    expect(stored?.sources[0]?.state.etag).toMatch(/^\d+:[1-9]\d*$/)
  })

  it('an attachment above the size limit is not imported', async () => {
    const at = await listWith()
    server.appendMessage('INBOX', [], false, message({ name: 'a long name' }))
    expect(await pricing.ask(runSource, at, { 'price-lists.import.max_file_size': 20 })).toEqual({
      task_id: null,
      message: 'The file is larger than 20 bytes.',
    })
  })

  it.each<[object, string]>([
    [{ password: 'wrong' }, 'The server refused the user name or password.'],
    [{ folder: 'Nowhere' }, 'The folder "Nowhere" cannot be opened.'],
    [
      { host: '192.168.1.1' },
      'The address of the host is not public: whoever runs this server can allow it with SOURCE_ALLOWED_HOSTS.',
    ],
    [{ port: 1 }, 'The host cannot be reached'],
  ])('%j fails with a message', async (more, text) => {
    expect(await pricing.ask(runSource, await listWith(more))).toEqual({
      task_id: null,
      message: expect.stringContaining(text),
    })
  })

  it.each<[string, string, string]>([
    ['a line without an end as its greeting', '', '* OK '],
    ['a line without an end as an answer', '* OK ready\r\n', '* '],
    ['a literal of a gigabyte', '* OK ready\r\n', '* CAPABILITY {1073741824}\r\n'],
  ])('a server that sends %s fills no memory', async (_what, greeting, endless) => {
    const LIMIT = 200_000_000
    let sent = 0
    const piece = Buffer.alloc(1_000_000, 'x')
    const hostile = createServer({ ...testCertificate }, (socket) => {
      socket.on('error', () => undefined)
      const flood = (): void => {
        while (sent < LIMIT && !socket.destroyed) {
          sent += piece.length
          if (!socket.write(piece)) return void socket.once('drain', flood)
        }
        socket.end()
      }
      const begin = (): void => {
        socket.write(endless)
        flood()
      }
      socket.write(greeting)
      if (greeting === '') begin()
      else socket.once('data', begin)
    })
    await new Promise<void>((done) => hostile.listen(0, '127.0.0.1', done))
    try {
      const at = await listWith({ port: (hostile.address() as AddressInfo).port })
      expect(await pricing.ask(runSource, at)).toEqual({
        task_id: null,
        message: 'The server sent an answer of more than 8388608 bytes.',
      })
      expect(sent).toBeLessThan(60_000_000)
    } finally {
      hostile.close()
    }
  })
})
