import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { check } from '@partsbus/contracts/check'
import { listMediaJobs, listProducts } from '@partsbus/contracts/catalog/commands'
import { AppError } from '@partsbus/contracts/app-error'
import { newPriceList } from '@partsbus/contracts/pricing-import/price-list'
import { newPickUpPoint } from '@partsbus/contracts/stock/pick-up-point'
import { settingsFields, settingsPatch } from '@partsbus/contracts/administration/settings'
import { supplyPatch } from '@partsbus/contracts/stock/stock-item'
import { offerFilter } from '@partsbus/contracts/pricing-import/price-list'
import { newStorage } from '@partsbus/contracts/stock/storage'
import { assertKnownParameters, checkBody, readErpId, readId, readQuery } from './read-request.js'

function errorsOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError)
      return error.code === 'CONTRACT_VIOLATION' ? (error.details as { errors: unknown }).errors : error.code
    throw error
  }
  return 'nothing was thrown'
}

// rules.md#violations
it('a list with too many items hides no other violation', () => {
  const source = { kind: 'url', url: 'https://a.example/p.csv' }
  const sources = Array.from({ length: 21 }, (_, at) => (at === 2 ? { kind: 'url' } : source))
  expect(errorsOf(() => check(newPriceList, { sources }))).toEqual({
    name: ['The name field is required.'],
    'sources.2.url': ['The url field is required.'],
    storage_id: ['The storage_id field is required.'],
    sources: ['The sources must not have more than 20 items.'],
  })
  expect(errorsOf(() => check(newPriceList, { name: 'L', storage_id: 1, sources: Array(21).fill(source) }))).toEqual({
    sources: ['The sources must not have more than 20 items.'],
  })
})

describe('an id in a path', () => {
  it.each([
    ['1', 1],
    ['42', 42],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is read', (text, id) => {
    expect(readId(text)).toBe(id)
  })
  it.each(['', '0', '-1', '1.5', '1e3', ' 1', '01', 'abc', '9007199254740992', '99999999999999999', undefined])(
    '%j names nothing',
    (text) => {
      expect(errorsOf(() => readId(text))).toBe('NOT_FOUND')
    },
  )
})

describe('an ERP id in a path may contain every character of a stored id', () => {
  it.each(['P/0001', 'Товар 7', '../x', '%', '.', '{"$ne":null}'])('%s', (text) => {
    expect(readErpId(text)).toBe(text)
  })
  it.each(['', '  ', 'a\u0000', '\ud800', undefined])('not %j', (text) => {
    expect(errorsOf(() => readErpId(text))).toBe('NOT_FOUND')
  })
})

describe('query parameters are texts that are read strictly', () => {
  const cases: Array<[Record<string, unknown>, unknown]> = [
    [{}, { page: 1, per_page: 50 }],
    [
      { page: '3', per_page: '500' },
      { page: 3, per_page: 500 },
    ],
    [
      { q: '5', category_id: '7', trashed: 'true' },
      { page: 1, per_page: 50, q: '5', category_id: 7, trashed: true },
    ],
    [
      { q: '', category_id: '', trashed: 'false' },
      { page: 1, per_page: 50, trashed: false },
    ],
  ]
  it.each(cases)('%j', (sent, read) => {
    expect(check(listProducts.request, readQuery(sent, listProducts.request))).toEqual(read)
  })

  it('prices may have decimals', () => {
    const read = (sent: object) => check(offerFilter, readQuery({ ...sent }, offerFilter))
    expect(read({ price_from: '0.5', price_to: '1234.56' })).toEqual({ price_from: 0.5, price_to: 1234.56 })
    expect(errorsOf(() => read({ price_from: '-1', price_to: '1e3' }))).toEqual({
      price_from: ['The price_from must be at least 0.'],
      price_to: ['The price_to must be a number.'],
    })
  })

  const refused: Array<[Record<string, unknown>, Record<string, string[]>]> = [
    [{ page: 'abc' }, { page: ['The page must be an integer.'] }],
    [{ page: '1.5' }, { page: ['The page must be an integer.'] }],
    [{ page: '1e3' }, { page: ['The page must be an integer.'] }],
    [{ page: ' 1' }, { page: ['The page must be an integer.'] }],
    [{ page: '0' }, { page: ['The page must be at least 1.'] }],
    [{ page: '-2' }, { page: ['The page must be at least 1.'] }],
    [{ page: '1000001' }, { page: ['The page must not be greater than 1000000.'] }],
    [{ page: '99999999999999999999' }, { page: ['The page must be an integer.'] }],
    [{ per_page: '501' }, { per_page: ['The per_page must not be greater than 500.'] }],
    [{ page: ['1', '2'] }, { page: ['The page must be an integer.'] }],
    [{ trashed: 'yes' }, { trashed: ['The trashed field must be true or false.'] }],
    [
      { category_id: 'x', per_page: '0' },
      { category_id: ['The category_id must be an integer.'], per_page: ['The per_page must be at least 1.'] },
    ],
    [{ q: 'x'.repeat(192) }, { q: ['The q must not be greater than 191 characters.'] }],
  ]
  it.each(refused)('refused: %j', (sent, errors) => {
    expect(errorsOf(() => check(listProducts.request, readQuery(sent, listProducts.request)))).toEqual(errors)
  })
  it('refused: a status that is none', () => {
    expect(errorsOf(() => check(listMediaJobs.request, readQuery({ status: 'done' }, listMediaJobs.request)))).toEqual({
      status: ['The selected status is invalid. It must be pending or failed.'],
    })
  })
})

describe('unknown query parameters are refused (admin.md#unknown-query)', () => {
  const schema = listMediaJobs.request.pick({ page: true, status: true })
  it.each([
    [{ page: '1', status: '' }, schema, 'nothing was thrown'],
    [{ sort: '' }, schema, { sort: ['The sort parameter is unknown. This call takes page, status.'] }],
    [
      JSON.parse('{"stauts": "failed", "__proto__": "x"}'),
      schema,
      JSON.parse(
        '{"stauts": ["The stauts parameter is unknown. This call takes page, status."],' +
          '"__proto__": ["The __proto__ parameter is unknown. This call takes page, status."]}',
      ),
    ],
    [{ page: '1' }, undefined, { page: ['The page parameter is unknown. This call takes none.'] }],
  ])('%j', (query, known, errors) => {
    expect(errorsOf(() => assertKnownParameters(query, known))).toEqual(errors)
  })
})

describe('a body must be an object', () => {
  it.each([[null], [[]], ['x'], [5], [true]])('%j', (body) => {
    expect(errorsOf(() => checkBody(newStorage, body))).toEqual({ body: ['The body must be an object.'] })
  })
  it('of the fields that are known', () => {
    expect(errorsOf(() => checkBody(newStorage, { nam: 'x' }))).toEqual({
      name: ['The name field is required.'],
      nam: ['The nam field is unknown.'],
    })
  })
})

it('whatever JSON is sent, it is taken or refused by its paths, never a fault', () => {
  const names = fc.constantFrom(
    ...Object.keys(settingsFields),
    'name',
    'supplier',
    'storage_ids',
    'selling_price',
    '__proto__',
    'constructor',
    'toString',
  )
  const bodies = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.dictionary(names, fc.jsonValue({ maxDepth: 3 })).map((body) => JSON.parse(JSON.stringify(body)) as unknown),
  )
  fc.assert(
    fc.property(bodies, (body) => {
      for (const schema of [settingsPatch, newStorage, newPickUpPoint, supplyPatch]) {
        const errors = errorsOf(() => checkBody(schema, body))
        if (errors === 'nothing was thrown') continue
        expect(Object.keys(errors as object)).not.toEqual([])
        for (const texts of Object.values(errors as Record<string, string[]>)) expect(texts.length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 500 },
  )
})
