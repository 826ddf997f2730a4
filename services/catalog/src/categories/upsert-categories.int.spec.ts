import { deactivateCategories, getCategory, listCategories } from '@partsbus/contracts/catalog/commands'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ProductStore } from '../products/product-store.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { CategoryStore } from './category-store.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog.stop())

const read = (erp_id: string) => catalog.ask(getCategory, { erp_id })
const parentOf = async (erp_id: string): Promise<string | undefined> => {
  const { parent_id } = await read(erp_id)
  return parent_id === null ? undefined : (await catalog.ask(getCategory, { id: parent_id })).erp_id
}
const missing = (id_erp: string, parent: string) => ({
  id_erp,
  message: `Parent category with id_erp=${parent} not found.`,
})
const cycle = (id_erp: string) => ({ id_erp, message: 'Category parent would form a cycle.' })

describe('categories/batch-upsert (erp.md#categories)', () => {
  it('creates a category with every field, then updates the same record (erp.md#categories-1)', async () => {
    await catalog.categories([
      { id_erp: 'full', name: 'Двери', description: 'd', sort_order: 3, is_active: false, slug: null },
    ])
    const first = await read('full')
    expect(first).toMatchObject({
      erp_id: 'full',
      name: 'Двери',
      description: 'd',
      sort: 3,
      is_active: false,
      slug: 'dveri',
      parent_id: null,
      media: [],
    })
    expect(await catalog.categories([{ id_erp: 'full', name: 'Окна' }])).toEqual({
      processed: 1,
      created: 0,
      updated: 1,
      errors: [],
    })
    expect(await read('full')).toMatchObject({
      id: first.id,
      name: 'Окна',
      description: null,
      sort: 3,
      is_active: true,
      slug: 'dveri',
    })
  })

  it('sets `sort` to 0 and a slug on creation when neither is sent or can be generated', async () => {
    await catalog.categories([{ id_erp: 'bare', name: '!!!' }])
    expect(await read('bare')).toMatchObject({ sort: 0, slug: 'category' })
  })

  it('links a parent that comes later in the batch (erp.md#categories-4)', async () => {
    expect(
      (
        await catalog.categories([
          { id_erp: 'leaf', name: 'L', parent_id_erp: 'twig' },
          { id_erp: 'twig', name: 'T', parent_id_erp: 'full' },
        ])
      ).errors,
    ).toEqual([])
    expect([await parentOf('leaf'), await parentOf('twig')]).toEqual(['twig', 'full'])
  })

  it('keeps the parent when none is sent and makes a root for null and blank', async () => {
    await catalog.categories([{ id_erp: 'leaf', name: 'L' }])
    expect(await parentOf('leaf')).toBe('twig')
    await catalog.categories([
      { id_erp: 'leaf', name: 'L', parent_id_erp: null },
      { id_erp: 'twig', name: 'T', parent_id_erp: '' },
    ])
    expect([await parentOf('leaf'), await parentOf('twig')]).toEqual([undefined, undefined])
  })

  it('keeps the parent, adds an error and links an unknown one when it arrives (erp.md#categories-5)', async () => {
    await catalog.categories([{ id_erp: 'waits', name: 'W', parent_id_erp: 'full' }])
    expect(await catalog.categories([{ id_erp: 'waits', name: 'W', parent_id_erp: 'later' }])).toEqual({
      processed: 1,
      created: 0,
      updated: 1,
      errors: [missing('waits', 'later')],
    })
    expect(await parentOf('waits')).toBe('full')
    await catalog.categories([{ id_erp: 'later', name: 'Later' }])
    expect(await parentOf('waits')).toBe('later')
  })

  it('stops waiting for a parent when another one is sent, but not when none is sent', async () => {
    await catalog.categories([
      { id_erp: 'w2', name: 'W', parent_id_erp: 'n1' },
      { id_erp: 'w3', name: 'W', parent_id_erp: 'n1' },
    ])
    await catalog.categories([
      { id_erp: 'w2', name: 'W', parent_id_erp: 'full' },
      { id_erp: 'w3', name: 'W3' },
    ])
    await catalog.categories([{ id_erp: 'n1', name: 'N1' }])
    expect([await parentOf('w2'), await parentOf('w3')]).toEqual(['full', 'n1'])
  })

  it('saves a category whose parent would form a cycle with an error and without the link', async () => {
    expect(await catalog.categories([{ id_erp: 'self', name: 'S', parent_id_erp: 'self' }])).toMatchObject({
      created: 1,
      errors: [cycle('self')],
    })
    const loop = [
      { id_erp: 'x1', name: 'X', parent_id_erp: 'x2' },
      { id_erp: 'x2', name: 'X', parent_id_erp: 'x1' },
    ]
    expect((await catalog.categories(loop)).errors).toEqual([cycle('x2')])
    expect([await parentOf('x1'), await parentOf('x2')]).toEqual(['x2', undefined])
    expect((await catalog.categories(loop)).errors).toEqual([cycle('x2')])
  })

  it('turns a tree around in one batch', async () => {
    await catalog.categories([
      { id_erp: 'r1', name: 'R' },
      { id_erp: 'r2', name: 'R', parent_id_erp: 'r1' },
    ])
    expect(
      (
        await catalog.categories([
          { id_erp: 'r1', name: 'R', parent_id_erp: 'r2' },
          { id_erp: 'r2', name: 'R', parent_id_erp: null },
        ])
      ).errors,
    ).toEqual([])
    expect([await parentOf('r1'), await parentOf('r2')]).toEqual(['r2', undefined])
  })

  it('drops a pending parent that would form a cycle when it arrives', async () => {
    await catalog.categories([{ id_erp: 'q1', name: 'Q', parent_id_erp: 'q2' }])
    expect((await catalog.categories([{ id_erp: 'q2', name: 'Q', parent_id_erp: 'q1' }])).errors).toEqual([])
    expect([await parentOf('q2'), await parentOf('q1')]).toEqual(['q1', undefined])
    expect((await catalog.get(CategoryStore).findByErpIds(['q1'])).get('q1')?.pending_parent_erp_id).toBeNull()
  })

  it('links a category that a killed process left waiting for an existing parent', async () => {
    await catalog.categories([
      { id_erp: 'k1', name: 'K' },
      { id_erp: 'k2', name: 'K' },
    ])
    await catalog
      .get(CategoryStore)
      .collection.updateOne({ _id: 'k1' }, { $set: { pending_parent_erp_id: 'k2' }, $inc: { rev: 1 } })
    await waitFor(
      () => parentOf('k1'),
      (parent) => parent === 'k2',
    )
  })

  it('does not write an unchanged category', async () => {
    const items = [
      { id_erp: 'still', name: 'S', parent_id_erp: 'full' },
      { id_erp: 'lost', name: 'S', parent_id_erp: 'nowhere' },
    ]
    await catalog.categories(items)
    const before = await catalog.get(CategoryStore).findByErpIds(['still', 'lost'])
    expect((await catalog.categories(items)).errors).toEqual([missing('lost', 'nowhere')])
    expect(await catalog.get(CategoryStore).findByErpIds(['still', 'lost'])).toEqual(before)
  })

  it('keeps slugs unique among categories, apart from those of products', async () => {
    await catalog.categories([
      { id_erp: 'g1', name: 'Shared' },
      { id_erp: 'g2', name: 'Shared' },
    ])
    await catalog.products([{ id_erp: 'g1', name: 'Shared' }])
    expect([(await read('g1')).slug, (await read('g2')).slug]).toEqual(['shared', 'shared-2'])
    expect((await catalog.get(ProductStore).findByErpIds(['g1'])).get('g1')?.slug).toBe('shared')
  })

  it('links a whole tree that is sent children first', async () => {
    const depth = Array.from({ length: 30 }, (_, n) => ({
      id_erp: `deep${n}`,
      name: `Deep ${n}`,
      parent_id_erp: n === 0 ? null : `deep${n - 1}`,
    }))
    for (const item of depth.toReversed()) await catalog.categories([item])
    for (const { id_erp, parent_id_erp } of depth) expect(await parentOf(id_erp)).toBe(parent_id_erp ?? undefined)
  })
})

describe('categories/delete', () => {
  it('counts inactive categories as deactivated and deletes none', async () => {
    expect(await catalog.ask(deactivateCategories, { ids_erp: ['full', 'nope', 'full'] })).toEqual({
      requested: 3,
      deactivated: 1,
      not_found: ['nope'],
    })
    expect(await catalog.ask(deactivateCategories, { ids_erp: ['full'] })).toEqual({
      requested: 1,
      deactivated: 1,
      not_found: [],
    })
    expect(await read('full')).toMatchObject({ is_active: false, name: 'Окна' })
    await catalog.categories([{ id_erp: 'full', name: 'Окна' }])
    expect((await read('full')).is_active).toBe(true)
  })
})

it('lists categories by id in pages', async () => {
  const all = await catalog.ask(listCategories, { page: 1, per_page: 500 })
  expect(all.total).toBe(all.data.length)
  expect(all.data.map(({ id }) => id)).toEqual(all.data.map(({ id }) => id).toSorted((a, b) => a - b))
  const second = await catalog.ask(listCategories, { page: 2, per_page: 3 })
  expect(second).toEqual({ data: all.data.slice(3, 6), total: all.total, page: 2, per_page: 3 })
  await expect(catalog.ask(getCategory, { id: 999_999 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Not found.',
  })
})
