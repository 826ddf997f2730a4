import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { openStubApp } from '../testing/stub-app.js'

type StubApp = Awaited<ReturnType<typeof openStubApp>>

const MIB = 1024 * 1024
const picture = Buffer.alloc(3 * MIB + 17, 'picture of a door ')
const sha256 = createHash('sha256').update(picture).digest('hex')
const name = 'дверь "1" (new).jpg'
const described = {
  id: 7,
  file_name: name,
  mime_type: 'image/jpeg',
  size: picture.length,
  sha256,
  created_at: '2026-01-02T03:04:05.000Z',
}
const url = `/media/7/${encodeURIComponent(name)}`

let stub: StubApp
let readsLeft: number
let shorten: number

beforeAll(async () => {
  stub = await openStubApp({
    answer: ({ subject, body }) => {
      const asked = JSON.parse(body) as { id: number; offset: number; length: number }
      if (asked.id !== 7) return new AppError('NOT_FOUND', 'Not found.')
      if (subject === 'catalog.media.describe') return JSON.stringify(described)
      if (readsLeft-- <= 0) return new AppError('UNAVAILABLE', 'away')
      return picture.subarray(asked.offset, asked.offset + asked.length - shorten)
    },
  })
})
beforeEach(() => {
  readsLeft = Infinity
  shorten = 0
  stub.asked.length = 0
})
afterAll(() => stub.close())

const get = (headers: Record<string, string> = {}, method = 'GET') => stub.ask({ method, url, headers })

describe('a stored image', () => {
  it('is answered whole, read in chunks', async () => {
    const { statusCode, headers, bytes } = await get()
    expect(statusCode).toBe(200)
    expect(bytes.equals(picture)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(picture.length),
      etag: `"${sha256}"`,
      'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename*=UTF-8''%D0%B4%D0%B2%D0%B5%D1%80%D1%8C%20%221%22%20%28new%29.jpg`,
    })
    const lengths = stub.asked.slice(1).map((call) => (JSON.parse(call.body) as { length: number }).length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(MIB)
    expect(lengths.reduce((sum, length) => sum + length)).toBe(picture.length)
  })

  it('HEAD gives the same headers and reads nothing', async () => {
    const { statusCode, headers, bytes } = await get({}, 'HEAD')
    expect([statusCode, headers['content-length'], headers.etag, bytes.length]).toEqual([
      200,
      String(picture.length),
      `"${sha256}"`,
      0,
    ])
    expect(stub.asked.map((call) => call.subject)).toEqual(['catalog.media.describe'])
  })

  it.each([
    [`"${sha256}"`, 304],
    [`W/"${sha256}"`, 304],
    [`"other", "${sha256}"`, 304],
    ['*', 304],
    ['"other"', 200],
  ])('If-None-Match %s → %i', async (header, status) => {
    const { statusCode, headers, bytes } = await get({ 'if-none-match': header }, 'GET')
    expect([statusCode, headers.etag]).toEqual([status, `"${sha256}"`])
    expect(bytes).toHaveLength(status === 304 ? 0 : picture.length)
  })

  it.each([
    ['bytes=0-9', {}, 206, 0, 10],
    [`bytes=${MIB - 5}-${2 * MIB + 5}`, {}, 206, MIB - 5, MIB + 11],
    ['bytes=-17', {}, 206, 3 * MIB, 17],
    ['bytes=0-9', { 'if-range': `"${sha256}"` }, 206, 0, 10],
    ['bytes=0-9', { 'if-range': '"other"' }, 200, 0, picture.length],
    ['bytes=0-9,20-29', {}, 200, 0, picture.length],
  ] as const)('Range %s %j → %i', async (range, more, status, first, length) => {
    const { statusCode, headers, bytes } = await get({ range, ...more })
    expect(statusCode).toBe(status)
    expect(bytes.equals(picture.subarray(first, first + length))).toBe(true)
    expect(headers['content-range']).toBe(
      status === 206 ? `bytes ${first}-${first + length - 1}/${picture.length}` : undefined,
    )
  })

  it('a range that holds nothing is 416 with the size', async () => {
    const { statusCode, headers, json } = await get({ range: `bytes=${picture.length}-` })
    expect([statusCode, headers['content-range'], headers['cache-control'], json()]).toEqual([
      416,
      `bytes */${picture.length}`,
      'no-store',
      { message: 'The range is not satisfiable.' },
    ])
  })

  it.each([
    '/media/8/x.jpg',
    '/media/7/other.jpg',
    '/media/0/x',
    '/media/x/x',
    '/media/1e1/x',
    '/media/-7/x',
    '/media/7',
    '/media/7/',
    '/media/9999999999999999999/x',
    '/media/7/%2e%2e%2fetc',
  ])('%s is 404', async (path) => {
    const { statusCode, headers, json } = await stub.ask({ url: path })
    expect([statusCode, headers['cache-control'], json()]).toEqual([404, 'no-store', { message: 'Not found.' }])
  })

  it('returns 503 without caching when the service is down before the first chunk', async () => {
    readsLeft = 0
    const { statusCode, headers, json } = await get()
    expect([statusCode, headers['retry-after'], headers['cache-control'], headers.etag, json()]).toEqual([
      503,
      '5',
      'no-store',
      undefined,
      { message: 'Service temporarily unavailable.' },
    ])
  })

  it('closes the connection when the service goes down between two chunks', async () => {
    readsLeft = 2
    await expect(get()).rejects.toThrow(expect.objectContaining({ code: 'ECONNRESET' }))
  })

  it('returns 500 when a service sends fewer bytes than requested', async () => {
    shorten = 1
    const { statusCode, json } = await get()
    expect([statusCode, json()]).toEqual([500, { message: 'Internal server error.' }])
  })
})
