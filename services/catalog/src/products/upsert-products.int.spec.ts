import { getProduct, resolveProducts, deactivateProducts, upsertProducts } from '@partsbus/contracts/catalog'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog.stop())

const read = (erp_id: string) => catalog.ask(getProduct, { erp_id })
const slugOf = async (erp_id: string): Promise<string> => (await read(erp_id)).slug
const revOf = async (erp_id: string): Promise<unknown> =>
  (await catalog.ctx.products.findByErpIds([erp_id])).get(erp_id)?.rev

describe('products/batch-upsert (erp.md#products)', () => {
  it('rules 1–5 and 8: creates with every field, then updates the same record', async () => {
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

  it('takes an object with `products`, an empty list, and refuses anything else', async () => {
    expect(await catalog.send(upsertProducts, { products: [{ id_erp: 'obj', name: 'x' }] })).toMatchObject({
      created: 1,
    })
    expect(await catalog.send(upsertProducts, [])).toEqual({ processed: 0, created: 0, updated: 0, errors: [] })
    for (const body of [{}, { products: {} }, 'x', 5, null]) {
      await expect(catalog.send(upsertProducts, body)).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
    }
  })

  it('rejects the whole batch, and writes nothing of it, unless the policy says otherwise', async () => {
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

  it('same key twice in one batch: applied in order, the first created, the next updated, entries for each', async () => {
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

  it('rules 6 and 7: links are added; an unknown category is an entry, and linked when it arrives', async () => {
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

  it('an item that would change nothing is counted as updated and not written', async () => {
    const items = [{ id_erp: 'same', name: 'S', brand: 'B', attributes: [{ name: 'a', value: 'b' }], images: [] }]
    await catalog.products(items)
    const before = [await read('same'), await revOf('same')]
    expect(await catalog.products(items)).toEqual({ processed: 1, created: 0, updated: 1, errors: [] })
    expect([await read('same'), await revOf('same')]).toEqual(before)
  })

  it('attribute names that look like operators or prototypes are data', async () => {
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
  it('are suffixed on collision, within a batch and between batches, the soft-deleted ones included', async () => {
    await catalog.products([1, 2, 3].map((n) => ({ id_erp: `s${n}`, name: 'Slug Test' })))
    await catalog.ask(deactivateProducts, { ids_erp: ['s1', 's2', 's3'] })
    await catalog.products([4, 5].map((n) => ({ id_erp: `s${n}`, name: 'slug test!' })))
    const slugs = await Promise.all([1, 2, 3, 4, 5].map((n) => slugOf(`s${n}`)))
    expect(slugs.slice(0, 3)).toEqual(['slug-test', 'slug-test-2', 'slug-test-3'])
    expect(new Set(slugs).size).toBe(5)
    for (const slug of slugs) expect(slug).toMatch(/^slug-test(-\d+)?$/)
  })

  it('stay when not sent, change when sent, and an own slug is no conflict', async () => {
    await catalog.products([{ id_erp: 'own', name: 'Own', slug: 'Мой_slug' }])
    await catalog.products([{ id_erp: 'own', name: 'Renamed' }])
    expect(await slugOf('own')).toBe('Мой_slug')
    expect((await catalog.products([{ id_erp: 'own', name: 'Renamed', slug: 'Мой_slug' }])).errors).toEqual([])
    await catalog.products([{ id_erp: 'own', name: 'Renamed', slug: 'other' }])
    expect(await slugOf('own')).toBe('other')
  })

  it('a taken slug is saved suffixed with an entry, and the same request again changes nothing', async () => {
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

  it('one that is left in the same batch can be taken in it', async () => {
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

  it('one that cannot be used is normalised with an entry, never a path', async () => {
    expect((await catalog.products([{ id_erp: 'n1', name: 'Norm', slug: '../../x y' }])).errors).toEqual([
      { id_erp: 'n1', message: 'Slug "../../x y" is not valid; saved as "x-y".' },
    ])
    expect((await catalog.products([{ id_erp: 'n2', name: 'Norm', slug: '..' }])).errors).toEqual([
      { id_erp: 'n2', message: 'Slug ".." is not valid; saved as "norm".' },
    ])
    expect(await slugOf('n1')).toBe('x-y')
  })

  it('find a free number behind many that were taken by hand', async () => {
    await catalog.products(
      Array.from({ length: 40 }, (_, n) => ({ id_erp: `h${n}`, name: 'H', slug: n === 0 ? 'hand' : `hand-${n + 1}` })),
    )
    await catalog.products([{ id_erp: 'h-new', name: 'Hand' }])
    expect(await slugOf('h-new')).toMatch(/^hand-(4[1-9]|[5-9]\d|\d{3,})$/)
  })

  it('have at most 191 characters with their suffix', async () => {
    await catalog.products([1, 2].map((n) => ({ id_erp: `long${n}`, name: 'y'.repeat(191) })))
    expect(await slugOf('long2')).toBe(`${'y'.repeat(189)}-2`)
  })
})

describe('products/delete', () => {
  it('deactivates and soft-deletes; repeated ids count once, unknown ones are named once, in order', async () => {
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

  it('an upsert restores: same id, counted as updated, also when its fields are the same as before', async () => {
    const before = await read('d2')
    expect(await catalog.products([{ id_erp: 'd2', name: 'D' }])).toMatchObject({ created: 0, updated: 1 })
    expect(await read('d2')).toMatchObject({ id: before.id, slug: before.slug, is_active: true, deleted_at: null })
  })

  it('more ids than a batch may have are refused', async () => {
    await expect(
      catalog.send(deactivateProducts, { ids_erp: ['a', 'b', 'c'] }, { erp_max_batch_items: 2 }),
    ).rejects.toMatchObject({ details: { errors: { ids_erp: ['The ids_erp must not have more than 2 items.'] } } })
  })
})
