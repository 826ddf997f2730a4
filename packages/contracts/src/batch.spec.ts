import { describe, expect, it } from '@jest/globals'
import { type ErrorPolicy, readBatch, readBatchInTurns } from './batch.js'
import { upsertCategories, upsertProducts } from './catalog/commands.js'
import { AppError } from './app-error.js'
import type { BatchCommand } from './message.js'
import { DetailCollector } from './result-details.js'
import { updateStocks } from './stock/commands.js'
import type { Violations } from './violation.js'

const read = (contract: BatchCommand, body: unknown, errorPolicy: ErrorPolicy = 'reject_batch', maxItems = 1_000) =>
  readBatch(contract, body, { errorPolicy, maxItems })

function violationsOf(contract: BatchCommand, body: unknown, maxItems?: number): Violations {
  try {
    read(contract, body, 'reject_batch', maxItems)
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONTRACT_VIOLATION')
      return (error.details as { errors: Violations }).errors
    throw error
  }
  throw new Error('It was accepted')
}

const product = { id_erp: 'p1', name: 'Door' }

describe('the two forms of a batch (erp.md#batch-forms)', () => {
  it('takes an array and the documented object alike', () => {
    expect(read(upsertProducts, [product])).toEqual(read(upsertProducts, { products: [product] }))
  })

  it('takes an empty array', () => {
    expect(read(upsertProducts, [])).toEqual({ items: [], rejected: [], processed: 0 })
  })

  it.each([
    ['{}', {}, 'The categories field is required.'],
    ['null inside', { categories: null }, 'The categories field is required.'],
    ['an object inside', { categories: {} }, 'The categories must be an array.'],
    ['a string', 'x', 'The categories field is required.'],
    ['a number', 5, 'The categories field is required.'],
    ['null', null, 'The categories field is required.'],
    ['the key of another kind', { products: [] }, 'The categories field is required.'],
  ])('refuses %s, naming the array (bad-inputs.md#input-16)', (_, body, text) => {
    expect(violationsOf(upsertCategories, body)).toEqual({ categories: [text] })
  })

  it('says with details what may be sent (erp.md#details-422)', () => {
    for (const body of [{ items: [] }, product, 'x']) {
      const details = new DetailCollector()
      const limits = { errorPolicy: 'reject_batch', maxItems: 1_000 } as const
      expect(() => readBatch(upsertProducts, body, limits, details)).toThrow(
        expect.objectContaining({
          details: {
            errors: { products: ['The products field is required.'] },
            details: expect.objectContaining({
              items: [
                expect.objectContaining({
                  path: 'products',
                  code: 'format',
                  message: 'The body must be an array of items, or an object with this array under "products".',
                }),
              ],
            }),
          },
        }),
      )
    }
  })

  it('names the path after the form that was sent', () => {
    expect(Object.keys(violationsOf(upsertProducts, [product, {}]))).toEqual(['1.id_erp', '1.name'])
    expect(Object.keys(violationsOf(upsertProducts, { products: [product, {}] }))).toEqual([
      'products.1.id_erp',
      'products.1.name',
    ])
  })

  it('names the limit when there are too many items (bad-inputs.md#input-25)', () => {
    expect(violationsOf(upsertProducts, Array(3).fill(product), 2)).toEqual({
      products: ['The products must not have more than 2 items (setting erp_max_batch_items).'],
    })
  })

  it('lists the first 1,000 violations', () => {
    const list = violationsOf(
      upsertProducts,
      Array.from({ length: 1_000 }, () => ({})),
    )
    expect(Object.values(list).flat()).toHaveLength(1_000)
  })
})

describe('rows rejected one by one (erp.md#batch-policy)', () => {
  it('keeps the valid rows and words each broken one', () => {
    const sent = [product, { id_erp: 'p2' }, { name: 'x'.repeat(192) }, 5]
    expect(read(upsertProducts, sent, 'reject_failed_rows')).toEqual({
      items: [product],
      processed: 4,
      rejected: [
        { id: 'p2', message: 'The name field is required.' },
        { id: '', message: 'The id_erp field is required. The name must not be greater than 191 characters.' },
        { id: '', message: 'The item must be an object.' },
      ],
    })
  })

  it('lists 10,000 violations of a batch, and then 20 of each row and the number of the others', () => {
    const row = (attributes: number) => ({ ...product, attributes: Array(attributes).fill({ value: 'red' }) })
    const sent = [...Array(20).fill(row(500)), row(20), row(21), row(40)]
    const { rejected } = read(upsertProducts, sent, 'reject_failed_rows')
    const texts = (count: number) => Array(count).fill('The name field is required.').join(' ')
    expect(rejected.slice(18).map(({ message }) => message)).toEqual([
      texts(500),
      texts(500),
      texts(20),
      `${texts(20)} 1 more violation.`,
      `${texts(20)} 20 more violations.`,
    ])
  })

  it('gives others their turn after each row', async () => {
    const sent = Array.from({ length: 30 }, () => ({ attributes: Array(500).fill(0) }))
    let turns = 0
    const details = new DetailCollector()
    const limits = { errorPolicy: 'reject_failed_rows', maxItems: 1_000 } as const
    const turn = () => {
      turns += 1
      return turns % 2 === 0 ? undefined : Promise.resolve()
    }
    const batch = await readBatchInTurns(upsertProducts, sent, limits, { details, turn })
    expect([turns, batch.rejected.length, details.toReply().items.length]).toEqual([30, 30, 1_000])
    const ends = () => {
      throw new Error('the caller has gone')
    }
    await expect(readBatchInTurns(upsertProducts, sent, limits, { details, turn: ends })).rejects.toThrow('gone')
  })
})

const oneField = (field: string, value: unknown): [string, unknown, Record<string, unknown>] => [
  field,
  value,
  { ...product, [field]: value },
]

describe('constraints of a product item', () => {
  it.each([
    [...oneField('id_erp', { $ne: null }), 'The id_erp must be a string.'],
    [...oneField('id_erp', ['x']), 'The id_erp must be a string.'],
    [...oneField('id_erp', 123), 'The id_erp must be a string.'],
    [...oneField('id_erp', true), 'The id_erp must be a string.'],
    [...oneField('id_erp', ''), 'The id_erp field is required.'],
    [...oneField('id_erp', '   '), 'The id_erp field is required.'],
    [...oneField('id_erp', 'a\u0000'), 'The id_erp must not contain NUL characters or lone surrogates.'],
    [...oneField('id_erp', '\ud800'), 'The id_erp must not contain NUL characters or lone surrogates.'],
    [...oneField('name', null), 'The name field is required.'],
    [...oneField('name', 'x'.repeat(192)), 'The name must not be greater than 191 characters.'],
    [...oneField('brand', '😀'.repeat(192)), 'The brand must not be greater than 191 characters.'],
    [...oneField('article', 5), 'The article must be a string.'],
    [...oneField('category_id_erp', 'я'.repeat(192)), 'The category_id_erp must not be greater than 191 characters.'],
    [...oneField('slug', 'x'.repeat(192)), 'The slug must not be greater than 191 characters.'],
    [...oneField('sort_order', 1.5), 'The sort_order must be an integer.'],
    [...oneField('sort_order', '5'), 'The sort_order must be an integer.'],
    [...oneField('sort_order', 9_007_199_254_740_992), 'The sort_order must be an integer.'],
    [...oneField('sort_order', Infinity), 'The sort_order must be an integer.'],
    [...oneField('is_active', 'yes'), 'The is_active field must be true or false.'],
    [...oneField('attributes', {}), 'The attributes must be an array.'],
    [...oneField('images', 'http://a/b.jpg'), 'The images must be an array.'],
    [...oneField('attributes', Array(501).fill({ name: 'a' })), 'The attributes must not have more than 500 items.'],
    [...oneField('images', Array(51).fill({ url: 'a' })), 'The images must not have more than 50 items.'],
  ])('%s = %j', (field, _, item, text) => {
    expect(violationsOf(upsertProducts, [item])).toEqual({ [`0.${field}`]: [text] })
  })

  it.each([
    [
      'a type of 51 characters',
      { name: 'a', type: 'x'.repeat(51) },
      'attributes.0.type',
      'The type must not be greater than 50 characters.',
    ],
    ['no name', { value: 'x' }, 'attributes.0.name', 'The name field is required.'],
    ['a number as value', { name: 'a', value: 5 }, 'attributes.0.value', 'The value must be a string.'],
  ])('an attribute with %s', (_, attribute, path, text) => {
    expect(violationsOf(upsertProducts, { products: [{ ...product, attributes: [attribute] }] })).toEqual({
      [`products.0.${path}`]: [text],
    })
  })

  it('counts code points: 191 emoji pass (bad-inputs.md#input-18)', () => {
    expect(read(upsertProducts, [{ id_erp: '😀'.repeat(191), name: 'я'.repeat(191) }]).items).toHaveLength(1)
  })

  it('ignores unknown fields, dangerous names among them (bad-inputs.md#input-13)', () => {
    const body: unknown = JSON.parse(
      '[{"id_erp":"p1","name":"Door","colour":"red","__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}]',
    )
    expect(read(upsertProducts, body).items).toEqual([product])
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  it('keeps attribute names that look like operators as data (bad-inputs.md#input-26)', () => {
    const attributes = ['__proto__', '$set', 'a.b', 'constructor'].map((name) => ({ name, value: 'v' }))
    expect(read(upsertProducts, [{ ...product, attributes }]).items[0]).toMatchObject({ attributes })
  })
})

describe('constraints of a stock item (bad-inputs.md#input-31)', () => {
  it.each([
    ['quantity', -1, 'The quantity must be at least 0.'],
    ['quantity', 1.5, 'The quantity must be an integer.'],
    ['quantity', '5', 'The quantity must be an integer.'],
    ['quantity', null, 'The quantity field is required.'],
    ['quantity', undefined, 'The quantity field is required.'],
    ['quantity', 2 ** 53, 'The quantity must be an integer.'],
    ['supply_date', '31.02.2026', 'The supply_date is not a valid date.'],
    ['supply_date', 'now', 'The supply_date is not a valid date.'],
    ['supply_date', 1e12, 'The supply_date must be a string.'],
    ['delivery_days', -1, 'The delivery_days must be at least 0.'],
    ['product_id_erp', '', 'The product_id_erp field is required.'],
  ])('%s = %j', (field, value, text) => {
    expect(violationsOf(updateStocks, [{ product_id_erp: 'p', quantity: 1, [field]: value }])).toEqual({
      [`0.${field}`]: [text],
    })
  })

  it('reads minus zero as zero', () => {
    const [item] = read(updateStocks, [{ product_id_erp: 'p', quantity: -0 }]).items as Array<{ quantity: number }>
    expect(Object.is(item?.quantity, 0)).toBe(true)
  })
})

// erp.md#result-codes
it('notes the items of a batch that a later one of the same key follows', () => {
  const details = new DetailCollector()
  const item = (product_id_erp: string) => ({ product_id_erp, quantity: 1 })
  const limits = { errorPolicy: 'reject_failed_rows', maxItems: 1_000 } as const
  readBatch(updateStocks, ['a', 'b', 'a', 'a'].map(item).concat({ product_id_erp: 'b', quantity: -1 }), limits, details)
  const noted = details.toReply().items.filter(({ code }) => code === 'item_repeated')
  expect(noted.map(({ index, key, level }) => [index, key, level])).toEqual([
    [0, 'a', 'note'],
    [2, 'a', 'note'],
  ])
  expect(noted[0]?.message).toBe('A later item of the batch has the same product_id_erp and is applied after this one.')
})
