import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { type Media, readAll, type UpsertResult } from '../testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { useShop } from '../testing/contract-product.js'

const failed = (url: string) => `Image could not be downloaded: ${url}`

interface MediaJob {
  id: number
  item: string
  erp_id: string
  url: string
  attempts: number
  last_error: string | null
  status: string
  updated_at: string
}

const open = useShop()

const product = async (id: string, rest: Record<string, unknown>) => {
  const answer = await open().erp.post<UpsertResult>('/products/batch-upsert', [
    { id_erp: id, name: 'Pictured', ...rest },
  ])
  expect(answer.status).toBe(200)
  return answer.body.errors
}
const category = async (id: string, rest: Record<string, unknown>) =>
  (await open().erp.post<UpsertResult>('/categories/batch-upsert', [{ id_erp: id, name: 'Pictured', ...rest }])).body
    .errors
const mediaOf = async (id: string) => (await open().productOf(id)).media
const greys = (media: Media[]) => media.map((one) => one.width)

describe('images', () => {
  let host: ImageHost
  const url = (size: number) => host.put(`/${size}.png`, png(100, size, 2))
  beforeAll(async () => {
    host = await startImageHost()
    await open().set({ media_allowed_hosts: ['127.0.0.1'], media_wait_ms: 10_000 })
  })
  afterAll(async () => {
    await host?.close()
    await open().set({ media_allowed_hosts: [], media_wait_ms: 5_000 })
  })

  // erp.md#products-9
  it('are attached in their order; sort_order is the position and is_main false unless sent', async () => {
    expect(
      await product('i-1', {
        images: [
          { url: url(1) },
          { url: url(2), sort_order: 77, is_main: true },
          { url: url(3), sort_order: null, is_main: null },
        ],
      }),
    ).toEqual([])
    const media = await mediaOf('i-1')
    expect(greys(media)).toEqual([1, 2, 3])
    expect(media[0]).toEqual({
      id: expect.any(Number),
      url: expect.stringMatching(new RegExp(`^http.*/media/${media[0]?.id}/1\\.png$`)),
      file_name: '1.png',
      mime_type: 'image/png',
      size: png(100, 1, 2).length,
      width: 1,
      height: 2,
      custom_properties: { sort_order: expect.any(Number), is_main: false },
    })
    expect(media[1]?.custom_properties).toEqual({ sort_order: 77, is_main: true })
    const [first, , third] = media.map((one) => one.custom_properties.sort_order ?? -1)
    expect((third ?? 0) - (first ?? 0)).toBe(2)
  })

  // erp.md#products-9
  it('stay when the field is absent; a list replaces them; null and [] clear them', async () => {
    await product('i-1', {})
    expect(greys(await mediaOf('i-1'))).toEqual([1, 2, 3])
    await product('i-1', { images: [{ url: url(4) }, { url: url(1) }] })
    expect(greys(await mediaOf('i-1'))).toEqual([4, 1])
    await product('i-1', { images: [] })
    expect(await mediaOf('i-1')).toEqual([])
    await product('i-1', { images: [{ url: url(4) }] })
    await product('i-1', { images: null })
    expect(await mediaOf('i-1')).toEqual([])
  })

  // rules.md#images-stored-once
  it('with equal content are stored once; changed content at the same URL is stored again', async () => {
    const same = url(5)
    await product('i-2', { images: [{ url: same }] })
    const before = await open().productOf('i-2')
    const asked = host.hits('/5.png')
    expect(await product('i-2', { images: [{ url: same }] })).toEqual([])
    expect(await open().productOf('i-2')).toEqual(before)
    expect(host.hits('/5.png')).toBeGreaterThan(asked)
    host.put('/5.png', png(100, 6, 2))
    await product('i-2', { images: [{ url: same }] })
    expect(greys(await mediaOf('i-2'))).toEqual([6])
    expect((await mediaOf('i-2'))[0]?.id).not.toBe(before.media[0]?.id)
  })

  // rules.md#images-after
  it('that fail are entries; the others are attached; the item is saved and counted', async () => {
    const gone = `${host.url}/gone.png`
    expect(await product('i-3', { brand: 'Saved', images: [{ url: gone }, { url: url(7) }] })).toEqual([
      { id_erp: 'i-3', message: failed(gone) },
    ])
    expect(await open().productOf('i-3')).toMatchObject({ brand: 'Saved', media: [{ width: 7 }] })
  })

  it('that cannot be fetched do not replace the old ones (rules.md#images-stay)', async () => {
    const gone = `${host.url}/gone.png`
    expect(await product('i-3', { images: [{ url: gone }] })).toEqual([{ id_erp: 'i-3', message: failed(gone) }])
    expect(greys(await mediaOf('i-3'))).toEqual([7])
  })

  it('are validated by their bytes (rules.md#images-limits)', async () => {
    const svg = host.put(
      '/a.svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      'image/svg+xml',
    )
    const html = host.put('/page.jpg', Buffer.from('<!doctype html><p>no picture'), 'image/jpeg')
    const empty = host.put('/empty.png', Buffer.alloc(0))
    expect(
      (await product('i-4', { images: [{ url: svg }, { url: html }, { url: empty }] }))
        .map((error) => error.message)
        .toSorted(),
    ).toEqual([svg, html, empty].map(failed).toSorted())
    const odd = host.put('/odd-name.txt', png(1, 9, 9), 'text/plain')
    expect(await product('i-4', { images: [{ url: odd }] })).toEqual([])
    expect((await mediaOf('i-4'))[0]).toMatchObject({ mime_type: 'image/png', width: 9 })
  })

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/x.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'gopher://127.0.0.1/',
    'no url',
    `http://127.0.0.1:1/${'x'.repeat(3_000)}.png`,
  ])('at %s are entries (bad-inputs.md#input-28)', async (bad) => {
    const errors = await product('i-5', { images: [{ url: bad }] })
    expect(errors.map((error) => [error.id_erp, error.message.startsWith('Image could not be downloaded: ')])).toEqual([
      ['i-5', true],
    ])
  })

  // erp.md#categories-7
  it('of a category: set, unchanged when absent, cleared with null', async () => {
    expect(await category('i-cat', { image_url: url(11) })).toEqual([])
    const { media } = await open().categoryOf('i-cat')
    expect(greys(media)).toEqual([11])
    await category('i-cat', {})
    expect((await open().categoryOf('i-cat')).media).toEqual(media)
    await category('i-cat', { image_url: url(12) })
    expect(greys((await open().categoryOf('i-cat')).media)).toEqual([12])
    expect(await category('i-cat', { image_url: `${host.url}/gone.png` })).toEqual([
      { id_erp: 'i-cat', message: failed(`${host.url}/gone.png`) },
    ])
    await category('i-cat', { image_url: null })
    expect((await open().categoryOf('i-cat')).media).toEqual([])
  })

  // rules.md#images-wait
  it('are fetched in the background when they take longer than media_wait_ms', async () => {
    await open().set({ media_wait_ms: 100 })
    let release: () => void = () => undefined
    const slow = host.on('/slow.png', (_request, response) => {
      release = () => void response.writeHead(200, { 'content-type': 'image/png' }).end(png(1, 13, 1))
    })
    const answer = await open().erp.post<UpsertResult>('/products/batch-upsert', [
      { id_erp: 'i-6', name: 'Slow', images: [{ url: slow }] },
    ])
    expect([answer.status, answer.body.errors]).toEqual([200, []])
    // the image is not sent before `release`
    expect(answer.ms).toBeLessThan(20_000)
    const jobs = await readAll<MediaJob>(open().admin, '/media-jobs?status=pending')
    expect(jobs.find((job) => job.erp_id === 'i-6')).toMatchObject({ item: 'product', url: slow, status: 'pending' })
    await waitFor(
      async () => host.hits('/slow.png'),
      (hits) => hits > 0,
    )
    release()
    await waitFor(
      () => mediaOf('i-6'),
      (media) => greys(media).join() === '13',
    )
    await open().set({ media_wait_ms: 10_000 })
  })

  // rules.md#images-latest
  it('of the later of two requests for an item win, even if the first takes longer', async () => {
    await open().set({ media_wait_ms: 50 })
    let release: () => void = () => undefined
    const slow = host.on('/older.png', (_request, response) => {
      release = () => void response.writeHead(200, { 'content-type': 'image/png' }).end(png(1, 21, 1))
    })
    await product('i-7', { images: [{ url: slow }] })
    await waitFor(
      async () => host.hits('/older.png'),
      (hits) => hits > 0,
    )
    await open().set({ media_wait_ms: 10_000 })
    await product('i-7', { images: [{ url: url(22) }] })
    release()
    await product('i-7-after', { images: [{ url: url(23) }] })
    expect(greys(await mediaOf('i-7'))).toEqual([22])
  })

  it('are served with a fixed type, an ETag, long caching, ranges and nosniff (admin.md#media)', async () => {
    await product('i-8', { images: [{ url: url(31) }] })
    const [media] = await mediaOf('i-8')
    const path = new URL(media?.url ?? '').pathname
    const whole = await open().outside.get(path)
    expect(whole.bytes.equals(png(100, 31, 2))).toBe(true)
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      etag: expect.any(String),
    })
    expect(Number(/max-age=(\d+)/.exec(String(whole.headers['cache-control']))?.[1])).toBeGreaterThanOrEqual(86_400)
    expect((await open().outside.get(path, { headers: { 'if-none-match': String(whole.headers.etag) } })).status).toBe(
      304,
    )
    const part = await open().outside.get(path, { headers: { range: 'bytes=1-3' } })
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${whole.bytes.length}`,
    ])
    expect((await open().outside.get(path, { headers: { range: 'bytes=99999-' } })).status).toBe(416)
    expect((await open().outside.get('/media/999999999/x.png')).status).toBe(404)
  })

  // admin.md#media-jobs
  it('that failed finally are listed for the administrator with the reason, and can be retried', async () => {
    const back = `${host.url}/back.svg`
    host.put('/back.svg', Buffer.from('<svg/>'))
    await product('i-9', { images: [{ url: back }] })
    const jobOf = async () => (await readAll<MediaJob>(open().admin, '/media-jobs')).find((job) => job.erp_id === 'i-9')
    const job = await waitFor(jobOf, (found) => found !== undefined)
    expect(job).toEqual({
      id: expect.any(Number),
      item: 'product',
      erp_id: 'i-9',
      url: back,
      attempts: expect.any(Number),
      last_error: expect.any(String),
      status: expect.stringMatching(/^(pending|failed)$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    host.put('/back.svg', png(1, 41, 1))
    expect((await open().admin.post(`/media-jobs/${job?.id}/retry`)).status).toBe(200)
    await waitFor(
      () => mediaOf('i-9'),
      (media) => greys(media).join() === '41',
    )
  })

  describe('at addresses that are not public (bad-inputs.md#input-29, rules.md#public-addresses)', () => {
    let trap: Server
    let port = 0
    let knocks = 0
    beforeAll(async () => {
      trap = createServer((socket) => {
        knocks += 1
        socket.destroy()
      })
      await new Promise<void>((done) => trap.listen(0, '::', done))
      port = (trap.address() as AddressInfo).port
      await open().set({ media_allowed_hosts: [], media_wait_ms: 5_000 })
    })
    afterAll(async () => {
      await new Promise((done) => trap?.close(done))
      await open().set({ media_allowed_hosts: ['127.0.0.1'], media_wait_ms: 10_000 })
    })

    it.each([
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:7f00:1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '0',
      '0.0.0.0',
      '[::]',
      '[64:ff9b::7f00:1]',
    ])('no connection is made to %s', async (address) => {
      const bad = `http://${address}:${port}/x.png`
      expect(await product('i-ssrf', { images: [{ url: bad }] })).toEqual([{ id_erp: 'i-ssrf', message: failed(bad) }])
      expect(knocks).toBe(0)
    })

    it('no redirect leads to them; three redirects are followed, four are not', async () => {
      await open().set({ media_allowed_hosts: ['127.0.0.1'] })
      const hop = (from: string, to: string) =>
        host.on(from, (_request, response) => response.writeHead(302, { location: to }).end())
      const inward = hop('/inward.png', `http://[::1]:${port}/x.png`)
      expect(await product('i-ssrf', { images: [{ url: inward }] })).toEqual([
        { id_erp: 'i-ssrf', message: failed(inward) },
      ])
      expect(knocks).toBe(0)
      url(51)
      hop('/r3', '/51.png')
      hop('/r2', '/r3')
      const three = hop('/r1', '/r2')
      const four = hop('/r0', '/r1')
      expect(await product('i-hops', { images: [{ url: three }] })).toEqual([])
      expect(await product('i-hops', { images: [{ url: four }] })).toEqual([
        { id_erp: 'i-hops', message: failed(four) },
      ])
    })
  })
})
