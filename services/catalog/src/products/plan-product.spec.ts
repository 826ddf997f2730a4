import { type ProductItem, productItem } from '@partsbus/contracts/product'
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
  planProduct([read({ ...same, ...item })], { ...stored, ...before }, (slug) => slug ?? 'new')
const changes = (expected: object) => ({ kind: 'change', changes: expected })

describe('planProduct on a stored product', () => {
  it.each([
    ['nothing would change', {}, {}, { kind: 'same' }],
    [
      'rule 2: omitted brand and article become null',
      { brand: undefined, article: undefined },
      {},
      changes({ brand: null, article: null, article_key: null }),
    ],
    ['rule 2: null brand', { brand: null }, {}, changes({ brand: null })],
    ['rule 3: description_full when present', { description_full: 'New' }, {}, changes({ description: 'New' })],
    [
      'rule 3: the empty string clears',
      { description_full: '', description_short: 's' },
      {},
      changes({ description: '' }),
    ],
    ['rule 3: null is as absent', { description_full: null, description_short: 's' }, {}, { kind: 'same' }],
    ['rule 3: description_short only when there is none', { description_short: 's' }, {}, { kind: 'same' }],
    [
      'rule 3: description_short on null',
      { description_short: 's' },
      { description: null },
      changes({ description: 's' }),
    ],
    [
      'rule 3: description_short on empty',
      { description_short: 's' },
      { description: '' },
      changes({ description: 's' }),
    ],
    ['rule 4: is_active omitted is true', {}, { is_active: false }, changes({ is_active: true })],
    ['rule 4: is_active null is true', { is_active: null }, { is_active: false }, changes({ is_active: true })],
    ['rule 4: is_active false', { is_active: false }, {}, changes({ is_active: false })],
    ['rule 4: sort omitted is 0', { sort_order: undefined }, {}, changes({ sort: 0 })],
    ['rule 4: sort null is 0', { sort_order: null }, {}, changes({ sort: 0 })],
    [
      'rule 6: the link is added, others stay',
      { category_id_erp: 'c2' },
      {},
      changes({ category_erp_ids: ['c1', 'c2'] }),
    ],
    ['rule 6: a link that is there', { category_id_erp: 'c1' }, {}, { kind: 'same' }],
    ['blank category is not sent', { category_id_erp: ' ' }, {}, { kind: 'same' }],
    ['null category is not sent', { category_id_erp: null }, {}, { kind: 'same' }],
    ['attributes null', { attributes: null }, {}, { kind: 'same' }],
    ['attributes not listed stay', { attributes: [] }, {}, { kind: 'same' }],
    ['an upsert restores', {}, { deleted_at: at, is_active: false }, changes({ is_active: true, deleted_at: null })],
    ['a new article has its key', { article: 'а-2 б' }, {}, changes({ article: 'а-2 б', article_key: 'А2Б' })],
  ])('%s', (_rule, item, before, expected) => {
    expect(change(item, before)).toEqual(expected)
  })

  it('writes a slug only when another one was chosen', () => {
    expect(planProduct([read(same)], stored, () => 'door-2')).toEqual(changes({ slug: 'door-2' }))
  })

  it('refuses attributes that have grown beyond what a document holds', () => {
    const attributes = [1, 2].map((n) => ({ name: `a${n}`, type: '', value: 'я'.repeat(2_900_000) }))
    expect(() => change({ attributes: [{ name: 'b', value: 'я'.repeat(1_000_000) }] }, { attributes })).toThrow(
      expect.objectContaining({ code: 'CONTRACT_VIOLATION' }),
    )
    expect(change({ attributes: [{ name: 'b', value: 'x' }] }, { attributes })).toMatchObject({ kind: 'change' })
  })

  it('applies the items of one key in array order: the last wins, attributes add up', () => {
    const decision = planProduct(
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
      () => 's',
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

describe('mergeAttributes (rule 8): by name and type, value as a string', () => {
  const old = [
    { name: 'Colour', type: '', value: 'red' },
    { name: 'Size', type: 'mm', value: '10' },
  ]
  it.each([
    ['nothing sent', [], old],
    [
      'the same in another order',
      [
        { name: 'Size', type: 'mm', value: '10' },
        { name: 'Colour', value: 'red' },
      ],
      old,
    ],
    ['another value', [{ name: 'Size', type: 'mm', value: '12' }], [old[0], { name: 'Size', type: 'mm', value: '12' }]],
    [
      'another type is another value',
      [{ name: 'Size', value: '12' }],
      [...old, { name: 'Size', type: '', value: '12' }],
    ],
    [
      'null type is the empty one',
      [{ name: 'Colour', type: null, value: 'blue' }],
      [{ name: 'Colour', type: '', value: 'blue' }, old[1]],
    ],
    [
      'null value is the empty string',
      [{ name: 'Colour', value: null }],
      [{ name: 'Colour', type: '', value: '' }, old[1]],
    ],
    [
      'sent twice: the last wins',
      [
        { name: 'X', value: '1' },
        { name: 'X', value: '2' },
      ],
      [...old, { name: 'X', type: '', value: '2' }],
    ],
    [
      'names that look like operators',
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

  it('gives back the stored list itself when nothing changes', () => {
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
