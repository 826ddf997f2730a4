import { describe, expect, it } from '@jest/globals'
import type { Deactivation, Page, Product, UpsertResult } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

/** [stored before, what is sent, stored after]: erp.md#products-3. */
const descriptions: [string | null, Record<string, unknown>, string | null][] = [
  [null, {}, null],
  ['old', {}, 'old'],
  ['old', { description_full: null }, 'old'],
  ['old', { description_full: 'full' }, 'full'],
  ['old', { description_full: '' }, ''],
  ['old', { description_short: 'short' }, 'old'],
  ['old', { description_full: null, description_short: 'short' }, 'old'],
  ['old', { description_full: 'full', description_short: 'short' }, 'full'],
  [null, { description_short: 'short' }, 'short'],
  ['', { description_short: 'short' }, 'short'],
  ['', { description_short: null }, ''],
  [null, { description_full: 'full', description_short: 'short' }, 'full'],
]

const open = useShop()

const upsert = async (body: unknown) => {
  const answer = await open().erp.post<UpsertResult>('/products/batch-upsert', body)
  expect(answer.status).toBe(200)
  return answer.body
}
const remove = async (...ids: string[]) =>
  (await open().erp.post<Deactivation>('/products/delete', { ids_erp: ids })).body
const attributesOf = async (id: string) =>
  (await open().productOf(id)).attributes.map(({ name, type, value }) => [name, type, value])

describe('products', () => {
  // erp.md#products-1, erp.md#products-2, erp.md#products-4, erp.md#products-11
  it('creates with the documented defaults, in both forms', async () => {
    expect(await upsert([{ id_erp: 'p-1', name: 'Hammer' }])).toEqual({
      processed: 1,
      created: 1,
      updated: 0,
      errors: [],
    })
    expect(await open().productOf('p-1')).toEqual({
      id: expect.any(Number),
      erp_id: 'p-1',
      name: 'Hammer',
      brand: null,
      article: null,
      description: null,
      slug: 'hammer',
      is_active: true,
      sort: 0,
      deleted_at: null,
      categories: [],
      attributes: [],
      media: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(
      await upsert({
        products: [
          { id_erp: 'p-1', name: 'Hammer' },
          { id_erp: 'p-2', name: 'Saw' },
        ],
      }),
    ).toEqual({ processed: 2, created: 1, updated: 1, errors: [] })
  })

  it.each([
    ['omitted', {}],
    ['null', { brand: null, article: null, sort_order: null, is_active: null, slug: null }],
  ])('%s: brand and article cleared, sort 0, active, slug unchanged', async (_what, rest) => {
    await upsert([
      { id_erp: 'p-3', name: 'A', brand: 'Bosch', article: '00-1', sort_order: 8, is_active: false, slug: 'p-three' },
    ])
    expect(await open().productOf('p-3')).toMatchObject({
      brand: 'Bosch',
      article: '00-1',
      sort: 8,
      is_active: false,
    })
    await upsert([{ id_erp: 'p-3', name: 'B', ...rest }])
    expect(await open().productOf('p-3')).toMatchObject({
      name: 'B',
      brand: null,
      article: null,
      sort: 0,
      is_active: true,
      slug: 'p-three',
    })
  })

  it('descriptions follow erp.md#products-3', async () => {
    await upsert(
      descriptions.map(([before], i) => ({
        id_erp: `p-desc-${i}`,
        name: 'D',
        ...(before !== null && { description_full: before }),
      })),
    )
    await upsert(descriptions.map(([, sent], i) => ({ id_erp: `p-desc-${i}`, name: 'D', ...sent })))
    const after = await Promise.all(
      descriptions.map(async (_, i) => (await open().productOf(`p-desc-${i}`)).description),
    )
    expect(after).toEqual(descriptions.map(([, , text]) => text))
  })

  it('keeps text as it was sent: HTML, blanks, emoji, line ends', async () => {
    const text = '  <p class="x">Двери &amp; «окна» 😀</p>\r\n\t$secret {"$ne":1} \u00a0'
    await upsert([
      {
        id_erp: 'p-text',
        name: ' Name ',
        brand: '$brand',
        article: '0001',
        description_full: text,
        attributes: [{ name: ' n ', value: text }],
      },
    ])
    expect(await open().productOf('p-text')).toMatchObject({
      name: ' Name ',
      brand: '$brand',
      article: '0001',
      description: text,
      attributes: [{ name: ' n ', type: '', value: text }],
    })
  })

  it('attributes are merged by name and type; those not listed stay (erp.md#products-8)', async () => {
    await upsert([
      {
        id_erp: 'p-attr',
        name: 'A',
        attributes: [
          { name: 'Colour', value: 'red' },
          { name: 'Colour', type: 'ru', value: 'красный' },
          { name: 'Size', value: '5' },
        ],
      },
    ])
    await upsert([
      {
        id_erp: 'p-attr',
        name: 'A',
        attributes: [
          { name: 'Colour', value: 'blue', type: null },
          { name: 'Weight' },
          { name: 'Size', type: 'mm', value: null },
        ],
      },
    ])
    const expected = [
      ['Colour', '', 'blue'],
      ['Colour', 'ru', 'красный'],
      ['Size', '', '5'],
      ['Size', 'mm', ''],
      ['Weight', '', ''],
    ]
    expect((await attributesOf('p-attr')).toSorted()).toEqual(expected)
    for (const attributes of [undefined, null, []]) {
      await upsert([{ id_erp: 'p-attr', name: 'A', ...(attributes !== undefined && { attributes }) }])
      expect((await attributesOf('p-attr')).toSorted()).toEqual(expected)
    }
  })

  it('attribute names are data only (bad-inputs.md#input-26)', async () => {
    const names = ['__proto__', '$set', 'a.b', 'constructor', '$where', 'toString', '', ' '].filter(
      (name) => name.trim() !== '',
    )
    await upsert([{ id_erp: 'p-danger', name: 'D', attributes: names.map((name) => ({ name, value: `v ${name}` })) }])
    expect((await attributesOf('p-danger')).toSorted()).toEqual(names.map((name) => [name, '', `v ${name}`]).toSorted())
  })

  it('the same key twice: attributes add up, the last value wins', async () => {
    expect(
      await upsert([
        {
          id_erp: 'p-twice',
          name: 'One',
          brand: 'B',
          attributes: [
            { name: 'a', value: '1' },
            { name: 'b', value: '1' },
          ],
        },
        {
          id_erp: 'p-twice',
          name: 'Two',
          attributes: [
            { name: 'b', value: '2' },
            { name: 'c', value: '2' },
            { name: 'c', value: '3' },
          ],
        },
      ]),
    ).toEqual({ processed: 2, created: 1, updated: 1, errors: [] })
    expect(await open().productOf('p-twice')).toMatchObject({ name: 'Two', brand: null })
    expect((await attributesOf('p-twice')).toSorted()).toEqual([
      ['a', '', '1'],
      ['b', '', '2'],
      ['c', '', '3'],
    ])
  })

  it('an identical item counts as updated and changes nothing (erp.md#batch-repeat)', async () => {
    const item = {
      id_erp: 'p-same',
      name: 'Same',
      description_full: 'd',
      attributes: [{ name: 'a', value: '1' }],
      sort_order: 3,
    }
    await upsert([item])
    const before = await open().productOf('p-same')
    expect(await upsert([item])).toEqual({ processed: 1, created: 0, updated: 1, errors: [] })
    expect(await open().productOf('p-same')).toEqual(before)
  })

  // erp.md#products-1, erp.md#delete-2
  it('deletes softly, restores by upsert with the same id, and counts as documented', async () => {
    await upsert([{ id_erp: 'p-del', name: 'Del', slug: 'p-del', attributes: [{ name: 'a', value: '1' }] }])
    const before = await open().productOf('p-del')
    expect(await remove('p-del', 'p-none', 'p-del')).toEqual({ requested: 3, deactivated: 1, not_found: ['p-none'] })
    const deleted = await open().productOf('p-del')
    expect(deleted).toMatchObject({
      id: before.id,
      is_active: false,
      deleted_at: expect.stringMatching(/Z$/),
      attributes: before.attributes,
    })
    expect(await remove('p-del')).toEqual({ requested: 1, deactivated: 1, not_found: [] })
    expect((await open().productOf('p-del')).deleted_at).toBe(deleted.deleted_at)
    expect(await upsert([{ id_erp: 'p-del', name: 'Del' }])).toEqual({
      processed: 1,
      created: 0,
      updated: 1,
      errors: [],
    })
    expect(await open().productOf('p-del')).toMatchObject({
      id: before.id,
      is_active: true,
      deleted_at: null,
      slug: 'p-del',
      attributes: before.attributes,
    })
  })

  it('restores a product that is sent as inactive too', async () => {
    await upsert([{ id_erp: 'p-del2', name: 'Del' }])
    await remove('p-del2')
    await upsert([{ id_erp: 'p-del2', name: 'Del', is_active: false }])
    expect(await open().productOf('p-del2')).toMatchObject({ is_active: false, deleted_at: null })
  })

  it('delete lists deleted and unknown ids (erp.md#delete-3)', async () => {
    expect(await remove('p-x', 'p-x', 'p-y')).toMatchObject({ requested: 3, deactivated: 0 })
    expect(new Set((await remove('p-x', 'p-x', 'p-y')).not_found)).toEqual(new Set(['p-x', 'p-y']))
  })

  it('are found by text, by category and among deleted products (admin.md#products)', async () => {
    await upsert([
      { id_erp: 'p-find-1', name: 'Редуктор червячный', brand: 'ZUBR', article: 'RC-77-x' },
      { id_erp: 'p-find-2', name: 'Редуктор прочий' },
    ])
    await remove('p-find-2')
    const list = async (query: string) =>
      (await open().admin.get<Page<Product>>(`/products?${query}`)).body.data
        .map((product) => product.erp_id)
        .toSorted()
    expect(await list(`q=${encodeURIComponent('червячный')}`)).toEqual(['p-find-1'])
    expect(await list('q=RC-77-x')).toEqual(['p-find-1'])
    expect(await list('q=p-find-1')).toEqual(['p-find-1'])
    const prefix = encodeURIComponent('Редуктор')
    expect(await list(`trashed=true&q=${prefix}`)).toEqual(['p-find-2'])
    expect(await list(`trashed=false&q=${prefix}`)).toEqual(['p-find-1'])
    expect(await list(`q=${prefix}`)).toEqual(['p-find-1', 'p-find-2'])
    expect(await list(`q=${encodeURIComponent('.*')}`)).toEqual([])
  })
})
