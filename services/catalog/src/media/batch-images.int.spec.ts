import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCategory, getProduct } from '@partsbus/contracts/catalog/commands'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const allowed = { media_allowed_hosts: ['127.0.0.1'], media_wait_ms: 10_000 }
let catalog: CatalogUnderTest
let images: Server
let base: string
let release: () => void = () => undefined
const released = new Promise<void>((done) => {
  release = done
})
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  images = createServer((request, response) => {
    if (request.url === '/slow')
      void released.then(() => response.writeHead(200, { 'content-type': 'image/png' }).end(png))
    else if (request.url?.startsWith('/ok')) response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => {
    images.listen(0, '127.0.0.1', done)
  })
  base = `http://127.0.0.1:${(images.address() as AddressInfo).port}`
})
afterAll(async () => {
  await catalog.stop()
  images.close()
})

const mediaOf = async (erp_id: string) =>
  (await catalog.ask(getProduct, { erp_id })).media.map(({ custom_properties }) => custom_properties)
const failed = (id_erp: string, url: string) => ({ id_erp, message: `Image could not be downloaded: ${url}` })

describe('the images of a batch', () => {
  it('are attached with their properties; a failed one is reported and its item is saved', async () => {
    const result = await catalog.products(
      [
        {
          id_erp: 'p',
          name: 'P',
          images: [
            { url: `${base}/ok/1` },
            { url: `${base}/gone` },
            { url: `${base}/ok/2`, is_main: true, sort_order: 9 },
          ],
        },
        { id_erp: 'q', name: 'Q', images: [{ url: `${base}/gone` }] },
      ],
      allowed,
    )
    expect(result).toEqual({
      processed: 2,
      created: 2,
      updated: 0,
      errors: [failed('p', `${base}/gone`), failed('q', `${base}/gone`)],
    })
    expect(await mediaOf('p')).toEqual([
      { sort_order: 0, is_main: false },
      { sort_order: 9, is_main: true },
    ])
    expect(await mediaOf('q')).toEqual([])
  })

  it('stay when absent and are cleared by null and an empty list', async () => {
    await catalog.products([{ id_erp: 'p', name: 'P2' }], allowed)
    expect(await mediaOf('p')).toHaveLength(2)
    await catalog.products([{ id_erp: 'p', name: 'P2', images: [] }], allowed)
    expect(await mediaOf('p')).toEqual([])
  })

  it('are cleared while they are being fetched', async () => {
    await catalog.products([{ id_erp: 's', name: 'S', images: [{ url: `${base}/slow` }] }], {
      ...allowed,
      media_wait_ms: 0,
    })
    await catalog.products([{ id_erp: 's', name: 'S', images: null }], allowed)
    release()
    await catalog.products([{ id_erp: 't', name: 'T', images: [{ url: `${base}/slow` }] }], allowed)
    expect(await mediaOf('t')).toHaveLength(1)
    expect(await mediaOf('s')).toEqual([])
  })

  it('hold up no other batch while they are waited for (rules.md#overload)', async () => {
    let waiting = 0
    let open: () => void = () => undefined
    const opened = new Promise<void>((done) => {
      open = done
    })
    const slow = createServer((_request, response) => {
      waiting += 1
      void opened.then(() => response.writeHead(404).end())
    })
    await new Promise<void>((done) => {
      slow.listen(0, '127.0.0.1', done)
    })
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
    const settings = { ...allowed, media_wait_ms: 30_000 }
    // more than a process works on at a time
    const batches = Array.from({ length: 16 }, (_, at) =>
      catalog.products([{ id_erp: `w${at}`, name: 'W', images: [{ url: `${url}/${at}` }] }], settings),
    )
    await waitUntil(() => waiting > 0, { withinMs: 10_000 })
    const startedAt = performance.now()
    expect(await catalog.products([{ id_erp: 'w', name: 'W' }], allowed)).toMatchObject({ created: 1 })
    const ms = performance.now() - startedAt
    open()
    for (const { errors } of await Promise.all(batches)) expect(errors).toHaveLength(1)
    slow.close()
    // also on a busy machine
    expect(ms).toBeLessThan(settings.media_wait_ms / 2)
  })

  it('come from the last item of a key that has images', async () => {
    const result = await catalog.products(
      [
        { id_erp: 'r', name: 'R', images: [{ url: `${base}/gone` }] },
        { id_erp: 'r', name: 'R', images: [{ url: `${base}/ok/3` }] },
        { id_erp: 'r', name: 'R' },
      ],
      allowed,
    )
    expect(result).toEqual({ processed: 3, created: 1, updated: 2, errors: [] })
    expect(await mediaOf('r')).toHaveLength(1)
  })

  it('are reported without the credentials of their URL', async () => {
    const url = `${base.replace('http://', 'http://user:secret@')}/gone`
    const result = await catalog.products([{ id_erp: 'cr', name: 'C', images: [{ url }] }], allowed)
    expect(result.errors).toEqual([failed('cr', `${base.replace('http://', 'http://***@')}/gone`)])
  })

  it('of a category are one, cleared by null', async () => {
    await catalog.categories([{ id_erp: 'c', name: 'C', image_url: `${base}/ok/4` }], allowed)
    expect((await catalog.ask(getCategory, { erp_id: 'c' })).media).toMatchObject([
      { mime_type: 'image/png', width: 1, custom_properties: {} },
    ])
    expect((await catalog.categories([{ id_erp: 'c', name: 'C', image_url: `${base}/gone` }], allowed)).errors).toEqual(
      [failed('c', `${base}/gone`)],
    )
    expect((await catalog.ask(getCategory, { erp_id: 'c' })).media).toHaveLength(1)
    await catalog.categories([{ id_erp: 'c', name: 'C', image_url: null }], allowed)
    expect((await catalog.ask(getCategory, { erp_id: 'c' })).media).toEqual([])
  })
})
