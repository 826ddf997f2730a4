import { deactivateProducts, getProduct, listProducts } from '@partsbus/contracts/catalog/commands'
import type { RequestOf } from '@partsbus/contracts/message'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { CategoryStore } from '../categories/category-store.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { ProductStore } from './product-store.js'
import { Products } from './products.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  await catalog.categories([
    { id_erp: 'doors', name: 'Двери' },
    { id_erp: 'locks', name: 'Замки' },
  ])
  await catalog.products([
    { id_erp: 'p1', name: 'Дверь стальная', brand: 'Форт', article: 'FT-100 A', category_id_erp: 'doors' },
    { id_erp: 'p2', name: 'Дверь (межкомнатная)', brand: 'Лес', article: 'L.200', category_id_erp: 'doors' },
    { id_erp: 'p3', name: 'Замок врезной', brand: 'Форт', article: 'FT-200', category_id_erp: 'locks' },
    { id_erp: 'p4', name: 'Lock 50% off', category_id_erp: 'missing' },
  ])
  await catalog.products([
    { id_erp: 'p3', name: 'Замок врезной', brand: 'Форт', article: 'FT-200', category_id_erp: 'doors' },
  ])
  await catalog.ask(deactivateProducts, { ids_erp: ['p2'] })
})
afterAll(() => catalog.stop())

const list = async (request: Partial<RequestOf<typeof listProducts>>): Promise<string[]> =>
  (await catalog.ask(listProducts, { page: 1, per_page: 50, ...request })).data.map(({ erp_id }) => erp_id)
const idOf = async (category: string): Promise<number> =>
  (await catalog.get(CategoryStore).findByErpIds([category])).get(category)?.id ?? 0

it.each([
  ['all products, soft-deleted ones included', {}, ['p1', 'p2', 'p3', 'p4']],
  ['only soft-deleted products', { trashed: true }, ['p2']],
  ['no soft-deleted products', { trashed: false }, ['p1', 'p3', 'p4']],
  ['products by words of the name in any case', { q: 'СТАЛЬНАЯ дверь' }, ['p1']],
  ['products by brand', { q: 'форт' }, ['p1', 'p3']],
  ['products by brand and word', { q: 'форт замок' }, ['p3']],
  ['products by the start of the normalized article', { q: 'ft 2' }, ['p3']],
  ['a product by ERP id', { q: 'p4' }, ['p4']],
  ['products by text with special characters of patterns', { q: '(межкомнатная)' }, ['p2']],
  ['products by text with a percent sign', { q: '50%' }, ['p4']],
  ['nothing for a pattern', { q: '.*' }, []],
  ['all products for a blank search', { q: '  ' }, ['p1', 'p2', 'p3', 'p4']],
  ['nothing for an unknown category', { category_id: 999_999 }, []],
  ['the second page', { page: 2, per_page: 3 }, ['p4']],
])('lists %s', async (_case, request, expected) => {
  expect(await list(request)).toEqual(expected)
})

it('lists the products of a category, also with a search, and counts all pages', async () => {
  const category_id = await idOf('doors')
  expect(await list({ category_id })).toEqual(['p1', 'p2', 'p3'])
  expect(await list({ category_id, q: 'дверь', trashed: false })).toEqual(['p1'])
  expect(await catalog.ask(listProducts, { category_id, page: 2, per_page: 2 })).toMatchObject({
    total: 3,
    page: 2,
    per_page: 2,
  })
})

it('returns a product by id or ERP id with its categories, also when it is soft-deleted', async () => {
  const product = await catalog.ask(getProduct, { erp_id: 'p3' })
  expect(product.categories).toEqual([
    { id: await idOf('locks'), erp_id: 'locks', name: 'Замки' },
    { id: await idOf('doors'), erp_id: 'doors', name: 'Двери' },
  ])
  expect(await catalog.ask(getProduct, { id: product.id })).toEqual(product)
  expect((await catalog.ask(getProduct, { erp_id: 'p2' })).deleted_at).toEqual(expect.any(String))
  await expect(catalog.ask(getProduct, { erp_id: 'nope' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Not found.',
  })
})

it('returns media with their path', async () => {
  const media = [
    {
      id: 7,
      file_name: 'дверь 1.jpg',
      mime_type: 'image/jpeg',
      size: 10,
      width: 2,
      height: 3,
      sort_order: 0,
      is_main: true,
    },
  ]
  await catalog.get(ProductStore).collection.updateOne({ _id: 'p1' }, { $set: { media }, $inc: { rev: 1 } })
  const { sort_order, is_main, ...fields } = media[0]!
  expect((await catalog.ask(getProduct, { erp_id: 'p1' })).media).toEqual([
    { ...fields, url: `/media/7/${encodeURIComponent('дверь 1.jpg')}`, custom_properties: { sort_order, is_main } },
  ])
})

it('runs two lists at a time and refuses one that waits until its deadline', async () => {
  let release = (): void => undefined
  const released = new Promise<void>((done) => {
    release = done
  })
  const slow = jest.spyOn(catalog.get(ProductStore), 'list').mockImplementation(async () => {
    await released
    return { docs: [], total: 0 }
  })
  const listWithin = (ms: number) =>
    catalog
      .get(Products)
      .listProducts({ body: { page: 1, per_page: 1 }, settings: defaultCallSettings, timeLeft: () => ms })
  const running = [listWithin(10_000), listWithin(10_000)]
  await expect(listWithin(30)).rejects.toMatchObject({ code: 'OVERLOADED' })
  release()
  expect(await Promise.all([...running, listWithin(10_000)])).toHaveLength(3)
  expect(slow).toHaveBeenCalledTimes(3)
  slow.mockRestore()
})
