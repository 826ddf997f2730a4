import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BrandNames } from '../brand-synonyms/brand-names.js'
import { mergeBrands } from './merge-brands.js'
import { mergeParts } from './merge-parts.js'
import type { BrandRow, Offer } from './offer.js'
import { summarize, type Outcome, type StorageAnswer } from './storage-answer.js'

const storage = (id: number) => ({ id, name: `S${id}` })
const answer = <Row>(id: number, ...rows: Row[]): StorageAnswer<Row> => ({ storage: storage(id), outcome: 'ok', rows })
const row = (brand: string, article: string, name = 'n'): BrandRow => ({ brand, article, name })
const names = new BrandNames([{ id: 1, canonical: 'Mann-Filter', synonyms: ['MANN', 'Mann & Hummel'] }])
const in_ = (...ids: number[]) => ids.map((id) => ({ storage_id: id, storage_name: `S${id}` }))

describe('brands', () => {
  it.each<[string, Array<StorageAnswer<BrandRow>>, unknown[]]>([
    [
      'other articles are dropped, however close (partners.md#brands-3)',
      [answer(1, row('A', 'OC90'), row('B', 'OC90A'), row('C', 'OC9'), row('D', '0OC90'))],
      [{ brand: 'A', article: 'OC90', name: 'n', storages: in_(1) }],
    ],
    ['leading zeros make another article (partners.md#brands-3)', [answer(1, row('A', '0OC90'))], []],
    [
      'pairs without a name are dropped, from that storage only (partners.md#brands-4)',
      [answer(1, row('A', 'OC90', '-')), answer(2, row('A', 'OC90', '')), answer(3, row('A', 'OC90', 'x'))],
      [{ brand: 'A', article: 'OC90', name: 'x', storages: in_(3) }],
    ],
    [
      'synonyms merge under the canonical name (partners.md#brands-5)',
      [answer(1, row('mann', 'OC90')), answer(2, row('MANN & Hummel', 'OC 90'))],
      [{ brand: 'Mann-Filter', article: 'OC90', name: 'n', storages: in_(1, 2) }],
    ],
    [
      'case, quotes and spaces do not matter (partners.md#brands-5)',
      [answer(1, row(' "Knecht"  AG ', 'OC90'), row('KNECHT AG', 'OC90'))],
      [{ brand: 'KNECHT AG', article: 'OC90', name: 'n', storages: in_(1) }],
    ],
    [
      'the lowest storage id decides name and article in any order of answers (partners.md#brands-6)',
      [answer(7, row('A', 'oc-90', 'seven')), answer(3, row('A', 'OC 90', 'three'))],
      [{ brand: 'A', article: 'OC 90', name: 'three', storages: in_(3, 7) }],
    ],
    [
      'order: by brand',
      [answer(1, row('Б', 'OC90'), row('b', 'OC90'), row('A', 'OC90'))],
      ['A', 'B', 'Б'].map((brand) => ({ brand, article: 'OC90', name: 'n', storages: in_(1) })),
    ],
    ['a brand of quotes alone is none', [answer(1, row('""', 'OC90'))], []],
  ])('%s', async (_rule, answers, expected) => {
    expect(await mergeBrands(answers, names, 'OC90')).toEqual(expected)
  })
})

describe('parts', () => {
  const offer = (more: Partial<Offer>): Offer => ({ brand: 'A', article: 'X', name: 'n', quantity: 1, ...more })
  const merge = async (answers: Array<StorageAnswer<Offer>>) => {
    const brands = new Set(['A', 'B', 'MANN'].map((brand) => names.identity(brand)))
    return (await mergeParts(answers, names, { article: 'X', brands })).parts
  }

  it('sorts by price, delivery time, brand, article and storage, missing values last (partners.md#part)', async () => {
    const answers = [
      answer(2, offer({}), offer({ price: 5 }), offer({ price: 5, delivery_days: 2 })),
      answer(
        1,
        offer({ price: 5, delivery_days: 2, brand: 'B' }),
        offer({ price: 5, delivery_days: 2, article: 'x' }),
        offer({ price: 5, delivery_days: 2 }),
        offer({ price: 4, delivery_days: 9 }),
      ),
    ]
    expect(
      (await merge(answers)).map(({ price, delivery_days, brand, article, storage_id }) => [
        price,
        delivery_days,
        brand,
        article,
        storage_id,
      ]),
    ).toEqual([
      [4, 9, 'A', 'X', 1],
      [5, 2, 'A', 'X', 1],
      [5, 2, 'A', 'X', 2],
      [5, 2, 'A', 'x', 1],
      [5, 2, 'B', 'X', 1],
      [5, undefined, 'A', 'X', 2],
      [undefined, undefined, 'A', 'X', 2],
    ])
  })

  it('returns the documented fields only, under the canonical name', async () => {
    const internal = { ...offer({ brand: 'mann', price: 1 }), purchase_price: 1, payload: {} }
    expect(await merge([answer(1, internal)])).toEqual([
      { brand: 'Mann-Filter', article: 'X', name: 'n', quantity: 1, price: 1, storage_id: 1, storage_name: 'S1' },
    ])
  })
})

describe('any set of answers', () => {
  const text = fc.constantFrom('A', 'a', 'B', 'mann', 'Mann & Hummel', '"A"', 'Ä')
  const brandRow = fc.record({
    brand: text,
    article: fc.constantFrom('X', 'x', ' x-', 'Y'),
    name: fc.constantFrom('n', 'm', '-', ''),
  })
  const offer = fc.record(
    {
      brand: text,
      article: fc.constantFrom('X', 'x.', 'Y'),
      name: fc.constantFrom('n', 'm'),
      quantity: fc.integer({ min: 1, max: 3 }),
      price: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
      delivery_days: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
    },
    { requiredKeys: ['brand', 'article', 'name', 'quantity'] },
  ) as fc.Arbitrary<Offer>
  const answersOf = <Row>(rows: fc.Arbitrary<Row>) =>
    fc.uniqueArray(
      fc.record({
        storage: fc.integer({ min: 1, max: 9 }).map(storage),
        outcome: fc.constant<Outcome>('ok'),
        rows: fc.array(rows, { maxLength: 8 }),
      }),
      { selector: (each) => each.storage.id, maxLength: 6 },
    )
  const shuffled = <Row>(answers: Array<StorageAnswer<Row>>) =>
    fc
      .tuple(
        fc.shuffledSubarray(answers, { minLength: answers.length }),
        fc.tuple(...answers.map(({ rows }) => fc.shuffledSubarray([...rows], { minLength: rows.length }))),
      )
      .map(([order, rows]) => order.map((each) => ({ ...each, rows: rows[answers.indexOf(each)] as Row[] })))
  const withAnother = <Row>(rows: fc.Arbitrary<Row>) =>
    answersOf(rows).chain((answers) => fc.tuple(fc.constant(answers), shuffled(answers)))

  it('gives the same brands in any order of suppliers and rows', async () => {
    await fc.assert(
      fc.asyncProperty(withAnother(brandRow), async ([answers, others]) => {
        expect(await mergeBrands(others, names, 'X')).toEqual(await mergeBrands(answers, names, 'X'))
      }),
      { numRuns: 300 },
    )
  })

  it('gives the same parts and the same summary in any order of suppliers and rows', async () => {
    const wanted = { article: 'X', brands: new Set(['A', 'MANN-FILTER']) }
    await fc.assert(
      fc.asyncProperty(withAnother(offer), async ([answers, others]) => {
        expect(await mergeParts(others, names, wanted)).toEqual(await mergeParts(answers, names, wanted))
        expect(summarize(others)).toEqual(summarize(answers))
      }),
      { numRuns: 300 },
    )
  })
})

it.each<[Outcome[], boolean, string, string]>([
  [[], true, 'OK', ''],
  [['ok', 'ok'], true, 'OK', '1=ok,2=ok'],
  [['ok', 'timeout', 'error'], true, 'Partial result: 2 of 3 suppliers did not answer.', '1=ok,2=timeout,3=error'],
  [['ok', 'timeout', 'ok'], true, 'Partial result: 1 of 3 suppliers did not answer.', '1=ok,2=timeout,3=ok'],
  [['timeout', 'error'], false, 'No supplier answered.', '1=timeout,2=error'],
  [['ok', 'partial'], true, 'Partial result: 1 of 2 suppliers did not answer.', '1=ok,2=partial'],
  [['partial'], true, 'Partial result: 1 of 1 suppliers did not answer.', '1=partial'],
])('summarizes the outcomes %j as result %s, %s', (outcomes, result, message, suppliers) => {
  const answers = outcomes.map((outcome, at) => ({ storage: storage(at + 1), outcome, rows: [] })).reverse()
  expect(summarize(answers)).toEqual({ result, message, suppliers })
})

// rules.md#suppliers-header
it('lists the outcomes of a thousand storages in 3 KB, those that are not ok first (rules.md#suppliers-header)', () => {
  const toOutcome = (id: number): Outcome => (id % 100 === 0 ? 'timeout' : 'ok')
  const answers = Array.from({ length: 1_000 }, (_, at) => ({
    storage: storage(at + 1),
    outcome: toOutcome(at + 1),
    rows: [],
  }))
  const { suppliers } = summarize(answers)
  expect(suppliers.length).toBeLessThanOrEqual(3_072)
  expect(suppliers).toMatch(/^100=timeout,200=timeout,.*,1000=timeout,1=ok,2=ok,.*,\+\d+$/)
  const entries = suppliers.split(',')
  expect(entries.length - 1 + Number(entries.at(-1))).toBe(1_000)
})

it.each([5_003, 25_001])(
  'leaves out the most expensive of %i parts and counts them (partners.md#parts-limit)',
  async (count) => {
    const rows = Array.from({ length: count }, (_, at) => ({ ...row('A', 'X'), quantity: 1, price: count - at }))
    const { parts, total } = await mergeParts([answer(1, ...rows)], names, { article: 'X', brands: new Set(['A']) })
    expect([parts.length, total, parts[0]?.price, parts.at(-1)?.price]).toEqual([5_000, count, 1, 5_000])
  },
)

it('lets other work go on while many rows are merged', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ ...row('A', 'X'), quantity: 1, price: at }))
  let turns = 0
  const count = (): void => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await mergeParts([answer(1, ...rows)], names, { article: 'X', brands: new Set(['A']) })
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(3)
})
