import { getProduct, resolveProducts, deactivateProducts, upsertProducts } from '@partsbus/contracts/catalog/commands'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { ProductStore } from './product-store.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog.stop())

const read = (erp_id: string) => catalog.ask(getProduct, { erp_id })
const slugOf = async (erp_id: string): Promise<string> => (await read(erp_id)).slug
const revOf = async (erp_id: string): Promise<unknown> =>
  (await catalog.get(ProductStore).findByErpIds([erp_id])).get(erp_id)?.rev

describe('products/batch-upsert (erp.md#products)', () => {
  it('creates a product with every field, then updates the same record (erp.md#products-1)', async () => {
    const item = {
      id_erp: 'full',
      name: 'Дверь',
      brand: 'Форт',
      article: 'Д-01',
      description_full: '<b>x</b>',
      description_short: 's',
      sort_order: 7,
      is_active: false,
      attributes: [{ name: 'Цвет', value: 'белый', type: 'text' }],
    }
    expect(await catalog.products([item])).toEqual({ processed: 1, created: 1, updated: 0, errors: [] })
    const first = await read('full')
    expect(first).toMatchObject({
      erp_id: 'full',
      name: 'Дверь',
      brand: 'Форт',
      article: 'Д-01',
      description: '<b>x</b>',
      slug: 'dver-d-01',
      sort: 7,
      is_active: false,
      deleted_at: null,
      categories: [],
      attributes: [{ name: 'Цвет', value: 'белый', type: 'text' }],
      media: [],
    })
    expect(await catalog.products([{ id_erp: 'full', name: 'Дверь 2' }])).toEqual({
      processed: 1,
      created: 0,
      updated: 1,
      errors: [],
    })
    expect(await read('full')).toMatchObject({
      id: first.id,
      name: 'Дверь 2',
      brand: null,
      article: null,
      description: '<b>x</b>',
      slug: 'dver-d-01',
      sort: 0,
      is_active: true,
      attributes: first.attributes,
      created_at: first.created_at,
    })
  })

  it('accepts an object with `products` and an empty list, and rejects other bodies', async () => {
    expect(await catalog.send(upsertProducts, { products: [{ id_erp: 'obj', name: 'x' }] })).toMatchObject({
      created: 1,
    })
    expect(await catalog.send(upsertProducts, [])).toEqual({ processed: 0, created: 0, updated: 0, errors: [] })
    for (const body of [{}, { products: {} }, 'x', 5, null]) {
      await expect(catalog.send(upsertProducts, body)).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
    }
  })

  it('rejects the whole batch for one invalid item unless the policy rejects single rows', async () => {
    const items = [{ id_erp: 'whole', name: 'ok' }, { id_erp: 'bad' }]
    await expect(catalog.products(items)).rejects.toMatchObject({
      details: { errors: { '1.name': ['The name field is required.'] } },
    })
    await expect(read('whole')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await catalog.products(items, { erp_error_policy: 'reject_failed_rows' })).toEqual({
      processed: 2,
      created: 1,
      updated: 0,
      errors: [{ id_erp: 'bad', message: 'The name field is required.' }],
    })
  })

  it('applies items of the same key in order and counts the first as created, the next as updated', async () => {
    const result = await catalog.products([
      { id_erp: 'twice', name: 'A', category_id_erp: 'no1', attributes: [{ name: 'x', value: '1' }] },
      { id_erp: 'twice', name: 'B', category_id_erp: 'no2', attributes: [{ name: 'y', value: '2' }] },
    ])
    expect(result).toEqual({
      processed: 2,
      created: 1,
      updated: 1,
      errors: [
        { id_erp: 'twice', message: 'Category with id_erp=no1 not found.' },
        { id_erp: 'twice', message: 'Category with id_erp=no2 not found.' },
      ],
    })
    expect(await read('twice')).toMatchObject({
      name: 'B',
      slug: 'a',
      attributes: [
        { name: 'x', value: '1' },
        { name: 'y', value: '2' },
      ],
    })
  })

  it('adds links, and links an unknown category when it arrives (erp.md#products-6)', async () => {
    await catalog.categories([
      { id_erp: 'c1', name: 'C1' },
      { id_erp: 'c2', name: 'C2' },
    ])
    await catalog.products([{ id_erp: 'linked', name: 'L', category_id_erp: 'c1' }])
    expect((await catalog.products([{ id_erp: 'linked', name: 'L', category_id_erp: 'late' }])).errors).toEqual([
      { id_erp: 'linked', message: 'Category with id_erp=late not found.' },
    ])
    await catalog.products([{ id_erp: 'linked', name: 'L', category_id_erp: 'c2' }])
    expect((await read('linked')).categories.map(({ erp_id }) => erp_id)).toEqual(['c1', 'c2'])
    await catalog.categories([{ id_erp: 'late', name: 'Late' }])
    expect((await read('linked')).categories.map(({ name }) => name)).toEqual(['C1', 'Late', 'C2'])
    expect((await catalog.products([{ id_erp: 'linked', name: 'L', category_id_erp: 'late' }])).errors).toEqual([])
  })

  it('counts an unchanged item as updated and does not write it (promises.md#promise-2)', async () => {
    const items = [{ id_erp: 'same', name: 'S', brand: 'B', attributes: [{ name: 'a', value: 'b' }], images: [] }]
    await catalog.products(items)
    const before = [await read('same'), await revOf('same')]
    expect(await catalog.products(items)).toEqual({ processed: 1, created: 0, updated: 1, errors: [] })
    expect([await read('same'), await revOf('same')]).toEqual(before)
  })

  it('stores attribute names that look like operators or prototypes as data', async () => {
    const names = ['__proto__', 'constructor', '$set', 'a.b', '$name', '']
    const attributes = names.filter(Boolean).map((name) => ({ name, value: '$brand', type: '$type' }))
    await catalog.products([{ id_erp: '$ne', name: '$name', brand: '$slug', attributes }])
    await catalog.products([
      { id_erp: '$ne', name: '$name', brand: '$slug', attributes: [{ name: 'a.b', type: '$type', value: 'new' }] },
    ])
    expect(await read('$ne')).toMatchObject({
      name: '$name',
      brand: '$slug',
      attributes: attributes.map((attribute) =>
        attribute.name === 'a.b' ? { ...attribute, value: 'new' } : attribute,
      ),
    })
    const stored = await catalog.db
      .collection<{ _id: string }>('attributes')
      .find({ _id: { $in: names } })
      .toArray()
    expect(stored.map(({ _id }) => _id).sort()).toEqual(names.filter(Boolean).sort())
    await expect(
      catalog.products([{ id_erp: 'nul', name: 'x', attributes: [{ name: 'a\u0000b' }] }]),
    ).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
  })
})

describe('slugs', () => {
  it('count up within a batch and between batches, soft-deleted products included', async () => {
    await catalog.products([1, 2, 3].map((n) => ({ id_erp: `s${n}`, name: 'Slug Test' })))
    await catalog.ask(deactivateProducts, { ids_erp: ['s1', 's2', 's3'] })
    await catalog.products([4, 5].map((n) => ({ id_erp: `s${n}`, name: 'slug test!' })))
    const slugs = await Promise.all([1, 2, 3, 4, 5].map((n) => slugOf(`s${n}`)))
    expect(slugs).toEqual(['slug-test', 'slug-test-2', 'slug-test-3', 'slug-test-4', 'slug-test-5'])
  })

  it('stay when none is sent and change when one is sent; a product may send its own', async () => {
    await catalog.products([{ id_erp: 'own', name: 'Own', slug: 'Мой_slug' }])
    await catalog.products([{ id_erp: 'own', name: 'Renamed' }])
    expect(await slugOf('own')).toBe('Мой_slug')
    expect((await catalog.products([{ id_erp: 'own', name: 'Renamed', slug: 'Мой_slug' }])).errors).toEqual([])
    await catalog.products([{ id_erp: 'own', name: 'Renamed', slug: 'other' }])
    expect(await slugOf('own')).toBe('other')
  })

  it('get a suffix and an error when they are taken; the same request again changes nothing', async () => {
    await catalog.products([
      { id_erp: 't1', name: 'T', slug: 'taken' },
      { id_erp: 't3', name: 'Third' },
    ])
    const entry = (id_erp: string, saved: string) => ({
      id_erp,
      message: `Slug "taken" is already taken; saved as "${saved}".`,
    })
    expect((await catalog.products([{ id_erp: 't2', name: 'T', slug: 'taken' }])).errors).toEqual([
      entry('t2', 'taken-2'),
    ])
    expect((await catalog.products([{ id_erp: 't3', name: 'Third', slug: 'taken' }])).errors).toEqual([
      entry('t3', 'taken-3'),
    ])
    const revs = [await revOf('t2'), await revOf('t3')]
    expect(
      (
        await catalog.products([
          { id_erp: 't2', name: 'T', slug: 'taken' },
          { id_erp: 't3', name: 'Third', slug: 'taken' },
        ])
      ).errors,
    ).toEqual([entry('t2', 'taken-2'), entry('t3', 'taken-3')])
    expect([await revOf('t2'), await revOf('t3')]).toEqual(revs)
    await catalog.products([{ id_erp: 't1', name: 'T', slug: 'left' }])
    expect((await catalog.products([{ id_erp: 't2', name: 'T', slug: 'taken' }])).errors).toEqual([])
    expect(await slugOf('t2')).toBe('taken')
  })

  it('can be used by another item of the batch whose item gives them up', async () => {
    await catalog.products([{ id_erp: 'v1', name: 'V', slug: 'vacated' }])
    expect(
      (
        await catalog.products([
          { id_erp: 'v1', name: 'V', slug: 'moved' },
          { id_erp: 'v2', name: 'V', slug: 'vacated' },
        ])
      ).errors,
    ).toEqual([])
    expect([await slugOf('v1'), await slugOf('v2')]).toEqual(['moved', 'vacated'])
  })

  // erp.md#batch-order
  it('that two items exchange are given as if one item was sent after the other', async () => {
    await catalog.products([
      { id_erp: 'x1', name: 'X', slug: 'east' },
      { id_erp: 'x2', name: 'X', slug: 'west' },
    ])
    const exchange = async () =>
      catalog.products([
        { id_erp: 'x1', name: 'X', slug: 'west' },
        { id_erp: 'x2', name: 'X', slug: 'east' },
      ])
    const message = 'Slug "west" is already taken; saved as "west-2".'
    expect((await exchange()).errors).toEqual([{ id_erp: 'x1', message }])
    expect([await slugOf('x1'), await slugOf('x2')]).toEqual(['west-2', 'east'])
    expect((await exchange()).errors).toEqual([])
    expect([await slugOf('x1'), await slugOf('x2')]).toEqual(['west', 'east'])
  })

  it('are normalized with an error when they are not usable', async () => {
    expect((await catalog.products([{ id_erp: 'n1', name: 'Norm', slug: '../../x y' }])).errors).toEqual([
      { id_erp: 'n1', message: 'Slug "../../x y" is not valid; saved as "x-y".' },
    ])
    expect((await catalog.products([{ id_erp: 'n2', name: 'Norm', slug: '..' }])).errors).toEqual([
      { id_erp: 'n2', message: 'Slug ".." is not valid; saved as "norm".' },
    ])
    expect(await slugOf('n1')).toBe('x-y')
  })

  it('continue behind suffixes that were sent', async () => {
    await catalog.products(
      Array.from({ length: 40 }, (_, n) => ({ id_erp: `h${n}`, name: 'H', slug: n === 0 ? 'hand' : `hand-${n + 1}` })),
    )
    await catalog.products([{ id_erp: 'h-new', name: 'Hand' }])
    expect(await slugOf('h-new')).toBe('hand-41')
  })

  it('count up without gaps also one product at a time (rules.md#slug-generated)', async () => {
    await catalog.products([1, 2, 3].map((n) => ({ id_erp: `z${n}`, name: 'Zed Q' })))
    for (const n of [4, 5, 6]) await catalog.products([{ id_erp: `z${n}`, name: 'Zed Q' }])
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map((n) => slugOf(`z${n}`)))).toEqual([
      'zed-q',
      ...[2, 3, 4, 5, 6].map((n) => `zed-q-${n}`),
    ])
  })

  it('of a whole batch that collides with stored ones count up', async () => {
    const batch = (by: string) => Array.from({ length: 300 }, (_, n) => ({ id_erp: `${by}${n}`, name: `Again ${n}` }))
    for (const by of ['ga', 'gb', 'gc', 'gd', 'ge']) await catalog.products(batch(by))
    const stored = await catalog.get(ProductStore).findByErpIds(batch('ge').map(({ id_erp }) => id_erp))
    expect([...stored.values()].map(({ slug }) => slug).sort()).toEqual(
      Array.from({ length: 300 }, (_, n) => `again-${n}-5`).sort(),
    )
  })

  it('have at most 191 characters with their suffix', async () => {
    await catalog.products([1, 2].map((n) => ({ id_erp: `long${n}`, name: 'y'.repeat(191) })))
    expect(await slugOf('long2')).toBe(`${'y'.repeat(189)}-2`)
  })
})

describe('products/delete', () => {
  it('soft-deletes; counts repeated ids once and lists unknown ids once in order', async () => {
    await catalog.products([
      { id_erp: 'd1', name: 'D' },
      { id_erp: 'd2', name: 'D' },
    ])
    expect(await catalog.ask(deactivateProducts, { ids_erp: ['d1', 'zz', 'd1', 'aa', 'zz', 'd2'] })).toEqual({
      requested: 6,
      deactivated: 2,
      not_found: ['zz', 'aa'],
    })
    const deleted = await read('d1')
    expect(deleted.is_active).toBe(false)
    expect(await catalog.ask(deactivateProducts, { ids_erp: ['d1'] })).toEqual({
      requested: 1,
      deactivated: 1,
      not_found: [],
    })
    expect(await read('d1')).toEqual(deleted)
    expect(await catalog.ask(resolveProducts, { erp_ids: ['d1', 'own', 'zz'] })).toEqual({
      products: [{ erp_id: 'own', id: (await read('own')).id }],
    })
  })

  it('restores on upsert with the same id and counts as updated, also without changed fields', async () => {
    const before = await read('d2')
    expect(await catalog.products([{ id_erp: 'd2', name: 'D' }])).toMatchObject({ created: 0, updated: 1 })
    expect(await read('d2')).toMatchObject({ id: before.id, slug: before.slug, is_active: true, deleted_at: null })
  })

  it('rejects more ids than a batch may have', async () => {
    await expect(
      catalog.send(deactivateProducts, { ids_erp: ['a', 'b', 'c'] }, { erp_max_batch_items: 2 }),
    ).rejects.toMatchObject({
      details: { errors: { ids_erp: ['The ids_erp must not have more than 2 items (setting erp_max_batch_items).'] } },
    })
  })
})
