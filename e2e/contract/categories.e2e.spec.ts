import { describe, expect, it } from '@jest/globals'
import type { Category, Deactivation, Page, UpsertResult } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

const open = useShop()

const upsert = async (body: unknown) => {
  const answer = await open().erp.post<UpsertResult>('/categories/batch-upsert', body)
  expect(answer.status).toBe(200)
  return answer.body
}

describe('categories', () => {
  // erp.md#categories-8
  it('creates, then updates, in both forms (erp.md#categories-1)', async () => {
    expect(await upsert([{ id_erp: 'cat-1', name: 'Двери раздвижные' }])).toEqual({
      processed: 1,
      created: 1,
      updated: 0,
      errors: [],
    })
    expect(
      await upsert({
        categories: [
          { id_erp: 'cat-1', name: 'Двери раздвижные' },
          { id_erp: 'cat-2', name: 'Ручки' },
        ],
      }),
    ).toEqual({ processed: 2, created: 1, updated: 1, errors: [] })
  })

  it('has the documented defaults (erp.md#categories-2; sort 0 on create)', async () => {
    const category = await open().categoryOf('cat-1')
    expect(category).toEqual({
      id: expect.any(Number),
      erp_id: 'cat-1',
      parent_id: null,
      name: 'Двери раздвижные',
      description: null,
      slug: 'dveri-razdvizhnye',
      is_active: true,
      sort: 0,
      media: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  it('writes name, description, is_active and sort_order (erp.md#categories-2)', async () => {
    await upsert([
      {
        id_erp: 'cat-1',
        name: 'Двери 2',
        description: 'Все <b>двери</b>',
        is_active: false,
        sort_order: -7,
        slug: 'my-Doors_~.1',
      },
    ])
    expect(await open().categoryOf('cat-1')).toMatchObject({
      name: 'Двери 2',
      description: 'Все <b>двери</b>',
      is_active: false,
      sort: -7,
      slug: 'my-Doors_~.1',
    })
  })

  it.each([
    ['omitted', {}],
    ['null', { description: null, is_active: null, sort_order: null, slug: null }],
  ])('%s: description cleared, active again, sort and slug unchanged (erp.md#batch-omitted)', async (_what, rest) => {
    await upsert([
      { id_erp: 'cat-3', name: 'A', description: 'text', is_active: false, sort_order: 9, slug: `cat-three` },
    ])
    const before = await open().categoryOf('cat-3')
    expect(await upsert([{ id_erp: 'cat-3', name: 'Another name', ...rest }])).toMatchObject({
      updated: 1,
      errors: [],
    })
    expect(await open().categoryOf('cat-3')).toMatchObject({
      id: before.id,
      name: 'Another name',
      description: null,
      is_active: true,
      sort: 9,
      slug: 'cat-three',
    })
  })

  // erp.md#batch-order, bad-inputs.md#input-20
  it('applies the same key twice in array order: created, then updated', async () => {
    expect(
      await upsert([
        { id_erp: 'cat-twice', name: 'First', sort_order: 4, slug: 'first-slug' },
        { id_erp: 'cat-twice', name: 'Last', description: 'd' },
      ]),
    ).toEqual({ processed: 2, created: 1, updated: 1, errors: [] })
    expect(await open().categoryOf('cat-twice')).toMatchObject({
      name: 'Last',
      sort: 4,
      slug: 'first-slug',
      description: 'd',
    })
  })

  it('counts an identical item as updated and does not change it (erp.md#batch-repeat)', async () => {
    const item = { id_erp: 'cat-same', name: 'Same', description: 'd', sort_order: 1, is_active: true }
    await upsert([item])
    const before = await open().categoryOf('cat-same')
    expect(await upsert([item])).toEqual({ processed: 1, created: 0, updated: 1, errors: [] })
    expect(await open().categoryOf('cat-same')).toEqual(before)
  })

  // erp.md#delete-1
  it('delete deactivates known categories and lists unknown ones (erp.md#batch-result)', async () => {
    await upsert([
      { id_erp: 'cat-d1', name: 'D1' },
      { id_erp: 'cat-d2', name: 'D2' },
    ])
    const remove = async (ids: string[]) =>
      (await open().erp.post<Deactivation>('/categories/delete', { ids_erp: ids })).body
    expect(await remove(['cat-d1', 'cat-no', 'cat-d1', 'cat-no2'])).toEqual({
      requested: 4,
      deactivated: 1,
      not_found: ['cat-no', 'cat-no2'],
    })
    expect(await open().categoryOf('cat-d1')).toMatchObject({ is_active: false, name: 'D1' })
    expect(await remove(['cat-d1', 'cat-d2'])).toEqual({ requested: 2, deactivated: 2, not_found: [] })
    await upsert([{ id_erp: 'cat-d1', name: 'D1' }])
    expect((await open().categoryOf('cat-d1')).is_active).toBe(true)
  })

  it('answers 422 for ids that are not strings, and deactivates nothing (bad-inputs.md#input-15)', async () => {
    await upsert([{ id_erp: 'cat-d3', name: 'D3' }])
    expect((await open().erp.post('/categories/delete', { ids_erp: ['cat-d3', { $gt: '' }] })).status).toBe(422)
    expect((await open().categoryOf('cat-d3')).is_active).toBe(true)
  })

  // admin.md#lists
  it('lists pages, finds by id and by ERP id, and returns 404 otherwise (admin.md#categories)', async () => {
    const { admin } = open()
    const page = (await admin.get<Page<Category>>('/categories?page=2&per_page=2')).body
    expect([page.page, page.per_page, page.data.length]).toEqual([2, 2, 2])
    expect(page.total).toBeGreaterThan(5)
    const one = await open().categoryOf('cat-1')
    expect((await admin.get(`/categories/${one.id}`)).body).toEqual(one)
    for (const path of ['/categories/999999999', '/categories/by-erp-id/none']) {
      const answer = await admin.get(path)
      expect([answer.status, answer.body]).toEqual([404, { message: 'Not found.' }])
    }
  })

  it('keeps ids that need escaping in a URL', async () => {
    for (const id of ['cat/slash', 'cat?q=1#x', 'кат 100%', '../..']) {
      await upsert([{ id_erp: id, name: 'Odd id' }])
      expect((await open().categoryOf(id)).erp_id).toBe(id)
    }
  })
})
