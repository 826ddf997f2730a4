import { type ProductItem, productItem } from '@partsbus/contracts/catalog/product'
import { describe, expect, it } from '@jest/globals'
import { articleKey } from '@partsbus/contracts/article'
import { mergeAttributes } from './merge-attributes.js'
import { planProduct } from './plan-product.js'
import type { ProductDocument } from './product-document.js'

const at = new Date('2026-01-01T00:00:00Z')
const stored: ProductDocument = {
  _id: 'p',
  id: 1,
  rev: 1,
  batches: ['b'],
  slug: 'door',
  name: 'Door',
  brand: 'B',
  article: 'A-1',
  article_key: 'A1',
  description: 'Text',
  is_active: true,
  sort: 5,
  deleted_at: null,
  category_erp_ids: ['c1'],
  attributes: [{ name: 'Colour', type: '', value: 'red' }],
  media: [],
  media_rev: 0,
  created_at: at,
  updated_at: at,
}
const same = { id_erp: 'p', name: 'Door', brand: 'B', article: 'A-1', sort_order: 5 }
const read = (item: object): ProductItem => productItem.parse({ id_erp: 'p', name: 'Door', ...item })
const change = (item: object, before: Partial<ProductDocument> = {}) =>
  planProduct([read({ ...same, ...item })], { ...stored, ...before }, (erpId) => erpId.startsWith('c'))
/** @param changed the names that the event reports, if they differ from the fields */
const changes = (expected: object, changed = Object.keys(expected)) => ({
  oversized: [],
  decision: { kind: 'update', changes: expected, changed },
})
const none = { oversized: [], decision: { kind: 'none' } }

describe('planProduct on a stored product', () => {
  it.each([
    ['changes nothing for the same values', {}, {}, none],
    [
      'clears an omitted brand and article (erp.md#products-2)',
      { brand: undefined, article: undefined },
      {},
      changes({ brand: null, article: null, article_key: null }, ['brand', 'article']),
    ],
    ['clears a null brand', { brand: null }, {}, changes({ brand: null })],
    ['writes description_full (erp.md#products-3)', { description_full: 'New' }, {}, changes({ description: 'New' })],
    [
      'clears the description for an empty description_full',
      { description_full: '', description_short: 's' },
      {},
      changes({ description: '' }),
    ],
    ['treats a null description_full as absent', { description_full: null, description_short: 's' }, {}, none],
    ['keeps a description when only description_short is sent', { description_short: 's' }, {}, none],
    [
      'writes description_short when there is no description',
      { description_short: 's' },
      { description: null },
      changes({ description: 's' }),
    ],
    [
      'writes description_short when the description is empty',
      { description_short: 's' },
      { description: '' },
      changes({ description: 's' }),
    ],
    ['activates when is_active is omitted (erp.md#products-4)', {}, { is_active: false }, changes({ is_active: true })],
    ['activates when is_active is null', { is_active: null }, { is_active: false }, changes({ is_active: true })],
    ['deactivates when is_active is false', { is_active: false }, {}, changes({ is_active: false })],
    ['sets sort to 0 when it is omitted', { sort_order: undefined }, {}, changes({ sort: 0 })],
    ['sets sort to 0 when it is null', { sort_order: null }, {}, changes({ sort: 0 })],
    [
      'adds a link and keeps the others (erp.md#products-6)',
      { category_id_erp: 'c2' },
      {},
      changes({ category_erp_ids: ['c1', 'c2'] }, ['categories']),
    ],
    [
      'adds the link to an unknown category without a visible change',
      { category_id_erp: 'x' },
      {},
      changes({ category_erp_ids: ['c1', 'x'] }, []),
    ],
    ['keeps an existing link', { category_id_erp: 'c1' }, {}, none],
    ['ignores a blank category', { category_id_erp: ' ' }, {}, none],
    ['ignores a null category', { category_id_erp: null }, {}, none],
    ['ignores null attributes', { attributes: null }, {}, none],
    ['keeps attributes that are not sent', { attributes: [] }, {}, none],
    [
      'restores a soft-deleted product',
      {},
      { deleted_at: at, is_active: false },
      changes({ is_active: true, deleted_at: null }),
    ],
    [
      'normalizes a new article',
      { article: 'а-2 б' },
      {},
      changes({ article: 'а-2 б', article_key: 'А2Б' }, ['article']),
    ],
  ])('%s', (_rule, item, before, expected) => {
    expect(change(item, before)).toEqual(expected)
  })

  it('does not apply items that would make the product too large to be answered (erp.md#products-10)', () => {
    const attributes = [1, 2].map((n) => ({ name: `a${n}`, type: '', value: 'я'.repeat(1_700_000) }))
    const large = read({ ...same, attributes: [{ name: 'b', value: 'я'.repeat(300_000) }] })
    const small = read({ ...same, name: 'Small', attributes: [{ name: 'c', value: 'x' }] })
    const plan = planProduct([large, small], { ...stored, attributes }, () => true)
    expect(plan.oversized).toEqual([large])
    expect(plan.decision).toMatchObject({ kind: 'update', changed: ['name', 'attributes'] })
    expect(planProduct([large], { ...stored, attributes }, () => true)).toEqual({
      oversized: [large],
      decision: { kind: 'none' },
    })
  })

  it('counts escaped characters and category links as they are answered', () => {
    const escaped = read({ ...same, description_full: '\u0001'.repeat(1_300_000) })
    expect(planProduct([escaped], stored, () => true).oversized).toEqual([escaped])
    const category_erp_ids = Array.from({ length: 3_100 }, (_, at) => `c${at}`)
    const linked = read({ ...same, category_id_erp: 'one more' })
    expect(planProduct([linked], { ...stored, category_erp_ids }, () => true).oversized).toEqual([linked])
  })

  it('changes other fields of a product that is too large already', () => {
    const attributes = [{ name: 'a', type: '', value: 'x'.repeat(8_000_000) }]
    expect(change({ name: 'New' }, { attributes })).toEqual(changes({ name: 'New' }))
  })

  it('applies the items of one key in order: the last value wins, attributes add up', () => {
    const { decision } = planProduct(
      [
        read({ ...same, name: 'First', description_short: 'short', attributes: [{ name: 'A', value: '1' }] }),
        read({
          ...same,
          name: 'Second',
          description_short: 'other',
          attributes: [{ name: 'A', value: '2' }, { name: 'B' }],
        }),
      ],
      undefined,
      () => true,
    )
    expect(decision).toMatchObject({
      kind: 'create',
      fields: {
        name: 'Second',
        description: 'short',
        attributes: [
          { name: 'A', type: '', value: '2' },
          { name: 'B', type: '', value: '' },
        ],
      },
    })
  })
})

describe('mergeAttributes (erp.md#products-8)', () => {
  const old = [
    { name: 'Colour', type: '', value: 'red' },
    { name: 'Size', type: 'mm', value: '10' },
  ]
  it.each([
    ['keeps the attributes when none are sent', [], old],
    [
      'keeps the stored order',
      [
        { name: 'Size', type: 'mm', value: '10' },
        { name: 'Colour', value: 'red' },
      ],
      old,
    ],
    [
      'replaces a value',
      [{ name: 'Size', type: 'mm', value: '12' }],
      [old[0], { name: 'Size', type: 'mm', value: '12' }],
    ],
    [
      'adds a value of another type',
      [{ name: 'Size', value: '12' }],
      [...old, { name: 'Size', type: '', value: '12' }],
    ],
    [
      'treats a null type as the empty one',
      [{ name: 'Colour', type: null, value: 'blue' }],
      [{ name: 'Colour', type: '', value: 'blue' }, old[1]],
    ],
    [
      'stores a null value as the empty string',
      [{ name: 'Colour', value: null }],
      [{ name: 'Colour', type: '', value: '' }, old[1]],
    ],
    [
      'uses the last value of a name sent twice',
      [
        { name: 'X', value: '1' },
        { name: 'X', value: '2' },
      ],
      [...old, { name: 'X', type: '', value: '2' }],
    ],
    [
      'stores names that look like operators',
      [{ name: '__proto__', value: 'x' }, { name: '$set', value: '$name' }, { name: 'a.b' }],
      [
        ...old,
        { name: '__proto__', type: '', value: 'x' },
        { name: '$set', type: '', value: '$name' },
        { name: 'a.b', type: '', value: '' },
      ],
    ],
  ])('%s', (_case, sent, expected) => {
    expect(mergeAttributes(old, sent)).toEqual(expected)
  })

  it('returns the stored list itself when nothing changes', () => {
    expect(mergeAttributes(old, [{ name: 'Size', type: 'mm', value: '10' }])).toBe(old)
  })
})

it.each([
  ['ab-12 34', 'AB1234'],
  ['№ 00-7/Б', 'NO007Б'],
  ['ｘ１', 'X1'],
  ['--', ''],
])('articleKey(%j) is %j', (article, key) => {
  expect(articleKey(article)).toBe(key)
})

describe('planProduct in the mode replace (erp.md#update-mode)', () => {
  const replace = (item: object, before: Partial<ProductDocument> = {}) =>
    planProduct([read({ ...same, ...item })], { ...stored, ...before }, (erpId) => erpId.startsWith('c'), 'replace')
  const attribute = { name: 'Colour', type: '', value: 'red' }
  it.each([
    ['keeps categories and attributes that are not sent', {}, {}, none],
    ['keeps the category it has alone', { category_id_erp: 'c1' }, {}, none],
    [
      'leaves the other categories',
      { category_id_erp: 'c2' },
      { category_erp_ids: ['c1', 'c2'] },
      changes({ category_erp_ids: ['c2'] }, ['categories']),
    ],
    [
      'leaves all categories for null',
      { category_id_erp: null },
      {},
      changes({ category_erp_ids: [] }, ['categories']),
    ],
    [
      'leaves all categories for blank',
      { category_id_erp: ' ' },
      {},
      changes({ category_erp_ids: [] }, ['categories']),
    ],
    ['keeps the same attributes', { attributes: [attribute] }, {}, none],
    [
      'loses attributes that are not listed',
      { attributes: [{ name: 'Width', value: '1' }] },
      {},
      changes({ attributes: [{ name: 'Width', type: '', value: '1' }] }),
    ],
    ['loses all attributes for []', { attributes: [] }, {}, changes({ attributes: [] })],
    ['loses all attributes for null', { attributes: null }, {}, changes({ attributes: [] })],
    [
      'writes the last value of an attribute sent twice',
      { attributes: [{ name: 'Colour', value: 'blue' }, attribute] },
      {},
      none,
    ],
    ['clears an omitted brand, as without the mode', { brand: undefined }, {}, changes({ brand: null })],
  ])('%s', (_case, item, before, expected) => {
    expect(replace(item, before)).toEqual(expected)
  })
})
