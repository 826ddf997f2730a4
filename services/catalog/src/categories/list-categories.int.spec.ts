import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getCategory, listCategories, listProducts } from '@partsbus/contracts/catalog/commands'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  await catalog.categories([
    { id_erp: 'c1', name: 'Двери' },
    { id_erp: 'c2', name: 'Замки (все)', parent_id_erp: 'c1' },
    { id_erp: 'c3', name: 'Ручки', parent_id_erp: 'c1' },
    { id_erp: 'c4', name: 'Стёкла', parent_id_erp: 'c2' },
    { id_erp: 'c5', name: 'Waiting', parent_id_erp: 'unknown' },
  ])
  await catalog.products([
    { id_erp: 'p1', name: 'One', category_id_erp: 'c2' },
    { id_erp: 'p2', name: 'Two', category_id_erp: 'c2', is_active: false },
    { id_erp: 'p3', name: 'Three', category_id_erp: 'c4' },
  ])
})
afterAll(() => catalog?.stop())

const idOf = async (erp_id: string) => (await catalog.ask(getCategory, { erp_id })).id
const list = async (query: { parent_id?: string; q?: string }) => {
  const { data, total } = await catalog.ask(listCategories, { page: 1, per_page: 50, ...query })
  expect(total).toBe(data.length)
  return data.map(({ erp_id }) => erp_id)
}

describe('the tree of categories (admin.md#category-tree)', () => {
  it('is read level by level', async () => {
    expect(await list({ parent_id: 'root' })).toEqual(['c1', 'c5'])
    expect(await list({ parent_id: String(await idOf('c1')) })).toEqual(['c2', 'c3'])
    expect(await list({ parent_id: '999999' })).toEqual([])
    expect(await list({})).toEqual(['c1', 'c2', 'c3', 'c4', 'c5'])
  })

  it('counts the categories below and the products, and names a parent that has not arrived', async () => {
    const { data } = await catalog.ask(listCategories, { page: 1, per_page: 50 })
    const shown = data.map(({ erp_id, children, products, pending_parent_erp_id: pending }) => [
      erp_id,
      children,
      products,
      pending,
    ])
    expect(shown).toEqual([
      ['c1', 2, 0, null],
      ['c2', 1, 2, null],
      ['c3', 0, 0, null],
      ['c4', 0, 1, null],
      ['c5', 0, 0, 'unknown'],
    ])
  })

  it.each([
    ['двери', ['c1']],
    ['(все)', ['c2']],
    ['.*', []],
    ['c4', ['c4']],
    [' ', ['c1', 'c2', 'c3', 'c4', 'c5']],
  ])('is searched for %j by name or ERP id', async (q, expected) => expect(await list({ q })).toEqual(expected))

  it('is searched below a category', async () => {
    expect(await list({ parent_id: String(await idOf('c1')), q: 'Р' })).toEqual(['c3'])
  })

  it('refuses another parent', async () => {
    await expect(list({ parent_id: '-1' })).rejects.toMatchObject({
      details: { errors: { parent_id: ['The parent_id is invalid.'] } },
    })
  })
})

describe('filters of GET /products (admin.md#list-filters)', () => {
  const products = async (query: object) => {
    const { data, total } = await catalog.ask(listProducts, { page: 1, per_page: 50, ...query })
    return [data.map(({ erp_id }) => erp_id).join(' '), total]
  }

  it.each([
    [{ is_active: false }, 'p2', 1],
    [{ is_active: true }, 'p1 p3', 2],
    [{ is_active: true, trashed: false }, 'p1 p3', 2],
    [{ is_active: true, q: 'one' }, 'p1', 1],
    [{ count: false }, 'p1 p2 p3', 0],
    [{ count: true }, 'p1 p2 p3', 3],
  ])('%j', async (query, found, total) => expect(await products(query)).toEqual([found, total]))
})
