import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { connect, type Socket } from 'node:net'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { contentTag } from '../static-file.js'
import { openStubApp } from '../../testing/stub-app.js'

const MIB = 1024 * 1024
const raw = Buffer.alloc(2 * MIB, 'x')
const script = { type: 'text/javascript; charset=utf-8', etag: contentTag(raw), raw, gzip: raw }
const URL = '/admin/assets/main-0a1b2c.js'

let stub: Awaited<ReturnType<typeof openStubApp>>
let token: string
const clients: Socket[] = []

beforeAll(async () => {
  stub = await openStubApp({
    pages: { version: 'v', index: script, files: new Map([['assets/main-0a1b2c.js', script]]) },
    settings: { erp_enabled: true },
    answer: () => 'y'.repeat(8 * MIB),
  })
  token = (await stub.reset({ erp_enabled: true })).erp
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})
afterAll(() => stub?.close())

/** Sends requests on one connection and reads nothing of their answers. */
async function leaveUnread(from: string, requests: string): Promise<Socket> {
  const client = connect({ port: stub.port, host: '127.0.0.1', localAddress: from })
  client.on('error', () => undefined).pause()
  clients.push(client)
  await new Promise((connected) => client.once('connect', connected))
  client.write(requests)
  return client
}

const get = `GET ${URL} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('the memory of answers without a credential (rules.md#overload)', () => {
  it('is bounded for an address: what is beyond it is refused', async () => {
    const client = await leaveUnread('127.0.0.2', get.repeat(13) + get.replace('Host', 'Connection: close\r\nHost'))
    const chunks: Buffer[] = []
    client.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
    await new Promise((ended) => client.once('end', ended))
    const answers = Buffer.concat(chunks).toString('latin1').split('HTTP/1.1 ').slice(1)
    // 16 MiB are 7 answers with their heads
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual([
      ...Array.from({ length: 7 }, () => '200'),
      ...Array.from({ length: 7 }, () => '503'),
    ])
    const refused = answers[10]
    expect(refused).toMatch(/\r\nretry-after: 1\r\n/)
    expect(refused).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/)
    expect(refused).toMatch(/\r\ncache-control: no-store\r\n/)
    expect(refused).not.toMatch(/\r\n(etag|content-encoding|vary): /)
    expect(refused).toContain('{"message":"Service temporarily unavailable."}')
  })

  it('is given to new clients when those who read nothing have used it up', async () => {
    const silent: Socket[] = []
    for (let count = 0; count < 12; count += 1)
      silent.push(await leaveUnread(`127.0.0.${10 + (count % 4)}`, get.repeat(14)))
    const answered = await waitUntil(async () => (await stub.ask({ url: URL })).statusCode === 200, {
      withinMs: 20_000,
    })
    expect(answered).toBe(true)
  })
})

it('answers the ERP also when the memory of its answers is used up: what they report is done', async () => {
  const post = ['POST /api/erp/products/delete HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
  const head = [...post, 'Content-Type: application/json', 'Content-Length: 2', '', '{}'].join('\r\n')
  for (let count = 0; count < 12; count += 1) await leaveUnread('127.0.0.4', head)
  const answer = await stub.ask({
    method: 'POST',
    url: '/api/erp/products/delete',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect([answer.statusCode, answer.bytes.length]).toEqual([200, 8 * MIB])
})
