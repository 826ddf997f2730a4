import { afterAll, describe, expect, it } from '@jest/globals'
import type { StockResult, UpsertResult } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

interface Invalid {
  message: string
  errors: Record<string, string[]>
}

const long = (count: number) => '😀'.repeat(count)
const name = 'N'

/** [what, endpoint, the broken item, its field, its text when the specification gives one] */
const broken: [what: string, key: string, item: Record<string, unknown>, field: string, text?: string][] = [
  ['no name', 'categories', { id_erp: 'pol-x' }, 'name', 'The name field is required.'],
  ['a null name', 'categories', { id_erp: 'pol-x', name: null }, 'name', 'The name field is required.'],
  ['a blank name', 'products', { id_erp: 'pol-x', name: ' \t ' }, 'name', 'The name field is required.'],
  ['no id', 'products', { name }, 'id_erp', 'The id_erp field is required.'],
  ['an empty id', 'products', { id_erp: '', name }, 'id_erp', 'The id_erp field is required.'],
  ['an id that is a number', 'products', { id_erp: 5, name }, 'id_erp'],
  ['an id that is an operator', 'products', { id_erp: { $ne: null }, name }, 'id_erp'],
  ['an id with NUL', 'products', { id_erp: 'a\u0000', name }, 'id_erp'],
  [
    'an id of 192 code points',
    'categories',
    { id_erp: long(192), name },
    'id_erp',
    'The id_erp must not be greater than 191 characters.',
  ],
  [
    'a name of 192 code points',
    'categories',
    { id_erp: 'pol-x', name: long(192) },
    'name',
    'The name must not be greater than 191 characters.',
  ],
  [
    'a long parent_id_erp',
    'categories',
    { id_erp: 'pol-x', name, parent_id_erp: long(192) },
    'parent_id_erp',
    'The parent_id_erp must not be greater than 191 characters.',
  ],
  [
    'a long slug',
    'categories',
    { id_erp: 'pol-x', name, slug: 'a'.repeat(192) },
    'slug',
    'The slug must not be greater than 191 characters.',
  ],
  [
    'sort_order as text',
    'categories',
    { id_erp: 'pol-x', name, sort_order: '5' },
    'sort_order',
    'The sort_order must be an integer.',
  ],
  [
    'sort_order with a fraction',
    'categories',
    { id_erp: 'pol-x', name, sort_order: 1.5 },
    'sort_order',
    'The sort_order must be an integer.',
  ],
  ['is_active as a number', 'categories', { id_erp: 'pol-x', name, is_active: 1 }, 'is_active'],
  ['image_url as a number', 'categories', { id_erp: 'pol-x', name, image_url: 7 }, 'image_url'],
  [
    'a long brand',
    'products',
    { id_erp: 'pol-x', name, brand: long(192) },
    'brand',
    'The brand must not be greater than 191 characters.',
  ],
  [
    'a long article',
    'products',
    { id_erp: 'pol-x', name, article: long(192) },
    'article',
    'The article must not be greater than 191 characters.',
  ],
  [
    'a long category_id_erp',
    'products',
    { id_erp: 'pol-x', name, category_id_erp: long(192) },
    'category_id_erp',
    'The category_id_erp must not be greater than 191 characters.',
  ],
  ['a description that is a number', 'products', { id_erp: 'pol-x', name, description_full: 3 }, 'description_full'],
  [
    'an unsafe integer',
    'products',
    { id_erp: 'pol-x', name, sort_order: 2 ** 53 },
    'sort_order',
    'The sort_order must be an integer.',
  ],
  ['attributes that are no list', 'products', { id_erp: 'pol-x', name, attributes: { name: 'a' } }, 'attributes'],
  [
    'an attribute without a name',
    'products',
    { id_erp: 'pol-x', name, attributes: [{ value: 'x' }] },
    'attributes.0.name',
    'The name field is required.',
  ],
  [
    'a long attribute name',
    'products',
    { id_erp: 'pol-x', name, attributes: [{ name }, { name: long(192) }] },
    'attributes.1.name',
    'The name must not be greater than 191 characters.',
  ],
  [
    'a type of 51 characters',
    'products',
    { id_erp: 'pol-x', name, attributes: [{ name, type: 'x'.repeat(51) }] },
    'attributes.0.type',
    'The type must not be greater than 50 characters.',
  ],
  [
    'a value that is a number',
    'products',
    { id_erp: 'pol-x', name, attributes: [{ name, value: 5 }] },
    'attributes.0.value',
  ],
  [
    'an image without a url',
    'products',
    { id_erp: 'pol-x', name, images: [{}] },
    'images.0.url',
    'The url field is required.',
  ],
  [
    '501 attributes',
    'products',
    { id_erp: 'pol-x', name, attributes: Array.from({ length: 501 }, (_, i) => ({ name: `a${i}` })) },
    'attributes',
  ],
  [
    '51 images',
    'products',
    { id_erp: 'pol-x', name, images: Array.from({ length: 51 }, () => ({ url: 'http://127.0.0.1/x.png' })) },
    'images',
  ],
  ['no product', 'stocks', { quantity: 1 }, 'product_id_erp', 'The product_id_erp field is required.'],
  ['no quantity', 'stocks', { product_id_erp: 'a' }, 'quantity', 'The quantity field is required.'],
  [
    'a negative quantity',
    'stocks',
    { product_id_erp: 'a', quantity: -1 },
    'quantity',
    'The quantity must be at least 0.',
  ],
  ['a fraction', 'stocks', { product_id_erp: 'a', quantity: 1.5 }, 'quantity', 'The quantity must be an integer.'],
  [
    'a quantity as text',
    'stocks',
    { product_id_erp: 'a', quantity: '5' },
    'quantity',
    'The quantity must be an integer.',
  ],
  ['2^53', 'stocks', { product_id_erp: 'a', quantity: 2 ** 53 }, 'quantity', 'The quantity must be an integer.'],
  [
    'negative delivery_days',
    'stocks',
    { product_id_erp: 'a', quantity: 1, delivery_days: -1 },
    'delivery_days',
    'The delivery_days must be at least 0.',
  ],
  [
    'a day that does not exist',
    'stocks',
    { product_id_erp: 'a', quantity: 1, supply_date: '2026-02-30' },
    'supply_date',
  ],
  ['31.02.2026', 'stocks', { product_id_erp: 'a', quantity: 1, supply_date: '31.02.2026' }, 'supply_date'],
  ['the word now', 'stocks', { product_id_erp: 'a', quantity: 1, supply_date: 'now' }, 'supply_date'],
  ['a date as a number', 'stocks', { product_id_erp: 'a', quantity: 1, supply_date: 1e12 }, 'supply_date'],
]

const pathOf = (key: string) => (key === 'stocks' ? '/stocks/batch-update' : `/${key}/batch-upsert`)

const open = useShop()

// erp.md#category-item, erp.md#product-item, erp.md#stock-item, rules.md#values-types, bad-inputs.md#input-14,
// bad-inputs.md#input-19, bad-inputs.md#input-27, promises.md#promise-7, rules.md#values-text
describe('constraints', () => {
  it.each(broken.map(([what, key, item, field, text]) => ({ what, key, item, field, text })))(
    '422 for $what in $key, named by its path in both forms',
    async ({ key, item, field, text }) => {
      const good = key === 'stocks' ? { product_id_erp: 'pol-good', quantity: 1 } : { id_erp: 'pol-good', name }
      const asList = await open().erp.post<Invalid>(pathOf(key), [good, item])
      const asObject = await open().erp.post<Invalid>(pathOf(key), { [key]: [good, good, good, item] })
      expect([asList.status, asList.body.message, Object.keys(asList.body.errors)]).toEqual([
        422,
        'The given data was invalid.',
        [`1.${field}`],
      ])
      expect([asObject.status, Object.keys(asObject.body.errors)]).toEqual([422, [`${key}.3.${field}`]])
      const given = asList.body.errors[`1.${field}`]
      expect(given).toEqual(text === undefined ? [expect.any(String)] : [text])
    },
  )

  it('rejects Infinity and a lone surrogate hidden in JSON', async () => {
    for (const [body, path] of [
      ['[{"id_erp":"p","name":"n","sort_order":1e400}]', '0.sort_order'],
      ['[{"id_erp":"\\ud800","name":"n"}]', '0.id_erp'],
      ['[{"id_erp":"p","name":"\\u0000"}]', '0.name'],
    ] as const) {
      const answer = await open().erp.post<Invalid>('/products/batch-upsert', body, {
        'content-type': 'application/json',
      })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [path]])
    }
  })

  it('reports an item that is not an object', async () => {
    for (const item of ['x', 5, null, []])
      expect((await open().erp.post('/products/batch-upsert', [item])).status).toBe(422)
  })

  it('accepts 191 code points, a 50 character type, quantity 0 and the largest safe integer', async () => {
    const id = long(191)
    const answer = await open().erp.post<UpsertResult>('/products/batch-upsert', [
      {
        id_erp: id,
        name: long(191),
        brand: long(191),
        article: long(191),
        sort_order: Number.MAX_SAFE_INTEGER,
        attributes: [{ name: long(191), type: 'x'.repeat(50), value: 'v' }],
      },
    ])
    expect([answer.status, answer.body.errors]).toEqual([200, []])
    expect(await open().productOf(id)).toMatchObject({ erp_id: id, name: long(191), sort: Number.MAX_SAFE_INTEGER })
    expect((await open().erp.post('/stocks/batch-update', [{ product_id_erp: id, quantity: 0 }])).body).toEqual({
      processed: 1,
      updated: 1,
      errors: [],
    })
    await open().erp.post('/products/delete', { ids_erp: [id] })
  })

  // erp.md#batch-size
  it('names the limit of items in the 422, and applies erp_max_batch_items', async () => {
    const items = Array.from({ length: 1_001 }, (_, i) => ({ id_erp: `pol-many-${i}`, name }))
    const answer = await open().erp.post<Invalid>('/products/batch-upsert', items)
    expect([answer.status, JSON.stringify(answer.body.errors)]).toEqual([422, expect.stringContaining('1000')])
    await open().set({ erp_max_batch_items: 2 })
    expect((await open().erp.post<Invalid>('/categories/batch-upsert', { categories: items.slice(0, 3) })).status).toBe(
      422,
    )
    expect(
      (
        await open().erp.post<Invalid>(
          '/stocks/batch-update',
          items.slice(0, 3).map((item) => ({ product_id_erp: item.id_erp, quantity: 1 })),
        )
      ).status,
    ).toBe(422)
    await open().set({ erp_max_batch_items: 1_000 })
    expect((await open().admin.get('/products/by-erp-id/pol-many-0')).status).toBe(404)
  })
})

// erp.md#batch-policy
describe('error policy', () => {
  afterAll(() => open().set({ erp_error_policy: 'reject_batch' }))
  const batch = (prefix: string) => [
    { id_erp: `${prefix}-1`, name: 'Good' },
    { id_erp: `${prefix}-2`, name: null, sort_order: 'x' },
    { name: 'No id' },
    { id_erp: 5, name: 'Id of another type' },
    { id_erp: `${prefix}-3`, name: 'Good too' },
  ]
  const rejections = (prefix: string) => [
    { id_erp: `${prefix}-2`, message: expect.stringContaining('The name field is required.') },
    { id_erp: '', message: expect.stringContaining('The id_erp field is required.') },
    { id_erp: '', message: expect.any(String) },
  ]

  it('rejects the whole batch by default, and writes nothing', async () => {
    expect((await open().erp.post('/products/batch-upsert', batch('pol-a'))).status).toBe(422)
    expect((await open().admin.get('/products/by-erp-id/pol-a-1')).status).toBe(404)
  })

  it.each(['categories', 'products'])('rejects only the failed rows of %s when the header says so', async (key) => {
    const answer = await open().erp.post<UpsertResult>(pathOf(key), batch('pol-b'), {
      'x-error-policy': 'reject-failed-rows',
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ processed: 5, created: 2, updated: 0 })
    expect(answer.body.errors).toEqual(expect.arrayContaining(rejections('pol-b')))
    expect(answer.body.errors).toHaveLength(3)
    expect(answer.body.errors[0]?.message).toContain('The sort_order must be an integer.')
    expect((await open().admin.get(`/${key}/by-erp-id/pol-b-3`)).status).toBe(200)
  })

  it('rejects only the failed rows when the setting says so, stocks included', async () => {
    await open().set({ erp_error_policy: 'reject_failed_rows' })
    await open().erp.post('/products/batch-upsert', { products: batch('pol-c') })
    const answer = await open().erp.post<StockResult>('/stocks/batch-update', [
      { product_id_erp: 'pol-c-1', quantity: 4 },
      { product_id_erp: 'pol-c-3', quantity: -4 },
      { product_id_erp: 'pol-c-unknown', quantity: 4 },
      { quantity: 4 },
    ])
    expect([answer.status, answer.body.processed, answer.body.updated]).toEqual([200, 4, 1])
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        { product_id_erp: 'pol-c-3', message: 'The quantity must be at least 0.' },
        { product_id_erp: 'pol-c-unknown', message: 'Product not found for given ERP ID.' },
        { product_id_erp: '', message: 'The product_id_erp field is required.' },
      ]),
    )
    expect(answer.body.errors).toHaveLength(3)
  })
})
