import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deactivateProducts, upsertCategories, upsertProducts } from '@partsbus/contracts/catalog/commands'
import type { BatchCommand } from '@partsbus/contracts/message'
import { png } from '@partsbus/test-kit/png'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
let images: Server
let base: string
/** the answer to every address of a PNG */
let picture = png(1, 8, 8)
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  // /never is not answered before the server closes
  images = createServer((request, response) => {
    if (request.url?.includes('.png')) response.end(picture)
    else if (request.url !== '/never') response.writeHead(404).end()
  })
  await new Promise<void>((done) => {
    images.listen(0, '127.0.0.1', done)
  })
  base = `http://127.0.0.1:${(images.address() as AddressInfo).port}`
})
afterAll(async () => {
  images.closeAllConnections()
  images.close()
  await catalog.stop()
})

const send = (command: BatchCommand, items: unknown[], settings = {}) =>
  catalog.send(command, items, settings, { details: true }) as Promise<{ errors: unknown[]; details: Details }>
type Details = NonNullable<Awaited<ReturnType<CatalogUnderTest['products']>>['details']>

describe('details of products', () => {
  it('are absent unless they are requested (erp.md#result-details)', async () => {
    expect(await catalog.products([{ id_erp: 'plain', name: 'P', price: 1 }])).toEqual({
      processed: 1,
      created: 1,
      updated: 0,
      errors: [],
    })
  })

  it('count unchanged items and name ignored fields (erp.md#details-unchanged)', async () => {
    await send(upsertProducts, [{ id_erp: 'same', name: 'P' }])
    const { details } = await send(upsertProducts, [
      { id_erp: 'same', name: 'P', price: 5 },
      { id_erp: 'other', name: 'Q' },
    ])
    expect(details).toEqual({ unchanged: 1, media_pending: 0, ignored_fields: { price: 1 }, items: [] })
  })

  it('name the item and the field of each entry of errors (erp.md#details-items)', async () => {
    await catalog.products([{ id_erp: 'owner', name: 'O', slug: 'mine' }])
    const { errors, details } = await send(
      upsertProducts,
      [
        { id_erp: 'fine', name: 'F' },
        { id_erp: 'broken' },
        { id_erp: 'notes', name: 'N', slug: 'mine', category_id_erp: 'later' },
      ],
      { erp_error_policy: 'reject_failed_rows' },
    )
    expect(errors).toHaveLength(3)
    expect(details.items).toEqual([
      {
        index: 1,
        key: 'broken',
        path: 'name',
        code: 'required',
        level: 'rejected',
        message: 'The name field is required.',
        reason: null,
      },
      expect.objectContaining({ index: 2, key: 'notes', path: 'slug', code: 'slug_taken', level: 'note' }),
      {
        index: 2,
        key: 'notes',
        path: 'category_id_erp',
        code: 'category_not_found',
        level: 'retrying',
        message: 'Category with id_erp=later not found.',
        reason: null,
      },
    ])
  })

  it('say why an image failed and which ones are pending (erp.md#details-media)', async () => {
    const list = [{ url: `${base}/gone` }, { url: `${base}/never` }]
    const { details } = await send(upsertProducts, [{ id_erp: 'pictured', name: 'P', images: list }], {
      media_allowed_hosts: ['127.0.0.1'],
      media_wait_ms: 500,
    })
    expect(details.media_pending).toBeGreaterThanOrEqual(1)
    expect(details.items.map(({ path }) => path)).toEqual(['images.0.url', 'images.1.url'])
    expect(details.items[1]).toMatchObject({ index: 0, key: 'pictured', code: 'image_pending', level: 'retrying' })
  })

  it('give the reason of a failed download', async () => {
    const { details } = await send(
      upsertCategories,
      [{ id_erp: 'pictured', name: 'C', image_url: 'http://127.0.0.1:9/x.png' }],
      { media_wait_ms: 10_000 },
    )
    expect(details.items).toMatchObject([
      { key: 'pictured', path: 'image_url', message: 'Image could not be downloaded: http://127.0.0.1:9/x.png' },
    ])
    expect(details.items[0]?.reason).toMatch(/\S/)
  })
})

describe('items whose images changed are not unchanged (erp.md#details-unchanged)', () => {
  const settings = { media_allowed_hosts: ['127.0.0.1'], media_wait_ms: 20_000 }
  const product = (path: string) => [{ id_erp: 'imaged', name: 'P', images: [{ url: `${base}${path}` }] }]
  const category = (path: string) => [{ id_erp: 'imaged', name: 'C', image_url: `${base}${path}` }]

  it.each([
    ['product', upsertProducts, product],
    ['category', upsertCategories, category],
  ] as const)('of a %s: another address, another file at the same address, a failed one', async (_, command, item) => {
    const unchanged = async (path: string, more = {}) =>
      (await send(command, item(path), { ...settings, ...more })).details.unchanged
    picture = png(1, 8, 8)
    await send(command, item('/a.png'), settings)
    expect(await unchanged('/a.png')).toBe(1)
    picture = png(2, 8, 8)
    expect(await unchanged('/a.png')).toBe(0)
    expect(await unchanged('/a.png')).toBe(1)
    // the same file is the same image, whatever its address
    expect(await unchanged('/b.png')).toBe(1)
    picture = png(4, 8, 8)
    expect(await unchanged('/c.png')).toBe(0)
    expect(await unchanged('/gone')).toBe(0)
    // not known yet
    expect(await unchanged('/never', { media_wait_ms: 0 })).toBe(0)
  })

  it('of images that are removed', async () => {
    picture = png(3, 8, 8)
    await send(upsertProducts, product('/a.png'), settings)
    const cleared = [{ id_erp: 'imaged', name: 'P', images: [] }]
    expect((await send(upsertProducts, cleared, settings)).details.unchanged).toBe(0)
    expect((await send(upsertProducts, cleared, settings)).details.unchanged).toBe(1)
    expect((await send(upsertProducts, [{ id_erp: 'imaged', name: 'P' }])).details.unchanged).toBe(1)
  })
})

it('name each value of an attribute that a later one replaces (erp.md#result-codes)', async () => {
  const attributes = ['red', 'blue', 'blue'].map((value) => ({ name: 'Colour', value }))
  const items = [{ id_erp: 'many-valued', name: 'P', attributes: [...attributes, { name: 'Size', value: '1' }] }]
  const { errors, details } = await send(upsertProducts, items)
  expect(errors).toEqual([])
  expect(details.items).toEqual([
    {
      index: 0,
      key: 'many-valued',
      path: 'attributes.0.value',
      code: 'attribute_repeated',
      level: 'note',
      message: 'Attribute Colour is repeated with another value; its last value is stored.',
      reason: null,
    },
  ])
})

describe('details of categories', () => {
  it('distinguish an awaited parent from a cycle, and report a moved category (erp.md#details-levels)', async () => {
    await send(upsertCategories, [
      { id_erp: 'a', name: 'A' },
      { id_erp: 'b', name: 'B' },
      { id_erp: 'c', name: 'C' },
    ])
    const { details } = await send(upsertCategories, [
      { id_erp: 'a', name: 'A', parent_id_erp: 'a' },
      { id_erp: 'b', name: 'B', parent_id_erp: 'a' },
      { id_erp: 'c', name: 'C' },
      { id_erp: 'd', name: 'D', parent_id_erp: 'none' },
    ])
    expect(details.unchanged).toBe(2)
    expect(details.items.map(({ index, code, level }) => [index, code, level])).toEqual([
      [0, 'parent_cycle', 'failed'],
      [3, 'parent_not_found', 'retrying'],
    ])
  })
})

it('details of a delete count inactive items and name unknown ids (erp.md#details-unchanged)', async () => {
  await catalog.products([
    { id_erp: 'gone', name: 'G' },
    { id_erp: 'going', name: 'G' },
  ])
  await catalog.send(deactivateProducts, { ids_erp: ['gone'] })
  const body = { ids_erp: ['gone', 'unseen', 'going'] }
  expect(await catalog.send(deactivateProducts, body, {}, { details: true })).toEqual({
    requested: 3,
    deactivated: 2,
    not_found: ['unseen'],
    details: {
      unchanged: 1,
      media_pending: 0,
      ignored_fields: {},
      items: [expect.objectContaining({ index: 1, key: 'unseen', code: 'not_found', level: 'note' })],
    },
  })
})
