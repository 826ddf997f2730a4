import { describe, expect, it } from '@jest/globals'
import { type Page, type Product, type UpsertResult } from '../testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { useShop } from '../testing/contract-product.js'

const missing = (id: string) => `Category with id_erp=${id} not found.`

const open = useShop()

const products = async (items: Record<string, unknown>[]) => {
  const answer = await open().erp.post<UpsertResult>(
    '/products/batch-upsert',
    items.map((item) => ({ name: 'Linked', ...item })),
  )
  expect(answer.status).toBe(200)
  return answer.body
}
const categories = async (...ids: string[]) =>
  expect(
    (
      await open().erp.post(
        '/categories/batch-upsert',
        ids.map((id) => ({ id_erp: id, name: `Category ${id}` })),
      )
    ).status,
  ).toBe(200)
const linksOf = async (id: string) =>
  (await open().productOf(id)).categories.map((category) => category.erp_id).toSorted()

describe('links of products to categories', () => {
  it('adds a link and keeps the existing ones (erp.md#products-6)', async () => {
    await categories('l-a', 'l-b')
    expect((await products([{ id_erp: 'l-1', category_id_erp: 'l-a' }])).errors).toEqual([])
    await products([{ id_erp: 'l-1', category_id_erp: 'l-b' }])
    expect(await linksOf('l-1')).toEqual(['l-a', 'l-b'])
    for (const rest of [{}, { category_id_erp: null }, { category_id_erp: 'l-a' }])
      await products([{ id_erp: 'l-1', ...rest }])
    const { categories: links } = await open().productOf('l-1')
    const a = await open().categoryOf('l-a')
    expect(links).toHaveLength(2)
    expect(links).toContainEqual({ id: a.id, erp_id: 'l-a', name: 'Category l-a' })
  })

  it('reports an unknown category, saves and counts the product, keeps its links (erp.md#products-7)', async () => {
    expect(
      await products([
        { id_erp: 'l-1', category_id_erp: 'l-none', brand: 'Saved' },
        { id_erp: 'l-2', category_id_erp: 'l-none' },
      ]),
    ).toEqual({
      processed: 2,
      created: 1,
      updated: 1,
      errors: [
        { id_erp: 'l-1', message: missing('l-none') },
        { id_erp: 'l-2', message: missing('l-none') },
      ],
    })
    expect(await open().productOf('l-1')).toMatchObject({ brand: 'Saved' })
    expect(await linksOf('l-1')).toEqual(['l-a', 'l-b'])
  })

  it('creates the link when the category arrives, for any number of pending links', async () => {
    await products([{ id_erp: 'l-2', category_id_erp: 'l-none-2' }])
    await categories('l-none')
    await waitFor(
      () => linksOf('l-2'),
      (links) => links.includes('l-none'),
      3_000,
    )
    await waitFor(
      () => linksOf('l-1'),
      (links) => links.length === 3,
      3_000,
    )
    await categories('l-none-2')
    await waitFor(
      () => linksOf('l-2'),
      (links) => links.join() === 'l-none,l-none-2',
      3_000,
    )
  })

  it('both links of the same key sent twice in one batch', async () => {
    await products([
      { id_erp: 'l-3', category_id_erp: 'l-a' },
      { id_erp: 'l-3', category_id_erp: 'l-b' },
    ])
    expect(await linksOf('l-3')).toEqual(['l-a', 'l-b'])
  })

  it('links to an inactive category too: it is found', async () => {
    await open().erp.post('/categories/delete', { ids_erp: ['l-b'] })
    expect((await products([{ id_erp: 'l-4', category_id_erp: 'l-b' }])).errors).toEqual([])
    expect(await linksOf('l-4')).toEqual(['l-b'])
  })

  it('always links in the end when product and category arrive at the same time', async () => {
    const names = Array.from({ length: 30 }, (_, i) => i)
    await Promise.all(
      names.flatMap((i) => [
        products([{ id_erp: `l-race-${i}`, category_id_erp: `l-race-cat-${i}` }]),
        categories(`l-race-cat-${i}`),
      ]),
    )
    await waitFor(
      async () =>
        (await Promise.all(names.map((i) => linksOf(`l-race-${i}`)))).filter((links) => links.length === 0).length,
      (open_) => open_ === 0,
      10_000,
    )
  })

  it('lists the products of a category (admin.md#products)', async () => {
    const { id } = await open().categoryOf('l-a')
    const { body } = await open().admin.get<Page<Product>>(`/products?category_id=${id}`)
    expect(body.data.map((product) => product.erp_id).toSorted()).toEqual(['l-1', 'l-3'])
  })
})
