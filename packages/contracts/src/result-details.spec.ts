import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { readBatch } from './batch.js'
import { upsertProducts } from './catalog/commands.js'
import { DetailCollector, resultCodes, resultDetail } from './result-details.js'
import { updatePrices, updateStocks } from './stock/commands.js'

const limits = { errorPolicy: 'reject_failed_rows', maxItems: 5_000 } as const

function collect(contract: typeof upsertProducts | typeof updateStocks | typeof updatePrices, body: unknown) {
  const details = new DetailCollector()
  readBatch(contract, body, limits, details)
  return details.toReply()
}

describe('ignored_fields (erp.md#details-ignored)', () => {
  it('counts unknown fields of items and of nested objects', () => {
    const item = {
      id_erp: 'p',
      name: 'P',
      price: 5,
      images: [
        { url: 'http://x', alt: '' },
        { url: 'http://y', alt: '' },
      ],
      attributes: [{ name: 'a', unit: 'mm' }],
    }
    expect(collect(upsertProducts, [item, { id_erp: 'q', name: 'Q', price: null }]).ignored_fields).toEqual({
      price: 2,
      'images.alt': 2,
      'attributes.unit': 1,
    })
  })

  it('is not confused by names of object members, and stops at 100 names', () => {
    const body = JSON.parse('[{"id_erp":"p","name":"P","__proto__":{"a":1},"constructor":2}]')
    const { ignored_fields } = collect(upsertProducts, body)
    expect(Object.entries(ignored_fields)).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
    ])
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, at]))
    expect(Object.keys(collect(upsertProducts, [many]).ignored_fields)).toHaveLength(100)
  })
})

describe('items (erp.md#details-items)', () => {
  it('have the position, the key, the path and the code of each violation', () => {
    const body = [
      { product_id_erp: 'a', quantity: 1 },
      { product_id_erp: 'b', quantity: -1, supply_date: '2026-02-30' },
      { quantity: 1.5 },
      null,
    ]
    expect(collect(updateStocks, body).items.map(({ index, key, path, code }) => [index, key, path, code])).toEqual([
      [1, 'b', 'quantity', 'min'],
      [1, 'b', 'supply_date', 'date'],
      [2, '', 'product_id_erp', 'required'],
      [2, '', 'quantity', 'integer'],
      [3, '', '', 'required'],
    ])
  })

  it('are the first 1,000, with keys and messages cut to their limits', () => {
    const details = new DetailCollector()
    for (let at = 1_500; at >= 0; at -= 1) details.add(at, 'k'.repeat(500), { code: 'min', message: 'm'.repeat(900) })
    const { items } = details.toReply()
    expect([items.length, items[0]?.index, items.at(-1)?.index]).toEqual([1_000, 0, 999])
    expect([items[0]?.key.length, items[0]?.message.length]).toEqual([191, 500])
  })

  it('say why a download failed, and null where the message says all', () => {
    const details = new DetailCollector()
    details.add(0, 'a', { code: 'image_failed', message: 'm', path: 'images.0.url', reason: 'HTTP 404' })
    details.add(1, 'b', { code: 'required', message: 'm' })
    expect(details.toReply().items.map(({ path, level, reason }) => [path, level, reason])).toEqual([
      ['images.0.url', 'failed', 'HTTP 404'],
      ['', 'rejected', null],
    ])
  })
})

it('violations of a refused batch come with details (erp.md#details-422)', () => {
  const details = new DetailCollector()
  const read = () => readBatch(updateStocks, [{}], { ...limits, errorPolicy: 'reject_batch' }, details)
  expect(read).toThrow(
    expect.objectContaining({
      code: 'CONTRACT_VIOLATION',
      details: expect.objectContaining({
        errors: expect.objectContaining({ '0.quantity': ['The quantity field is required.'] }),
        details: expect.objectContaining({ items: expect.arrayContaining([]) }),
      }),
    }),
  )
  expect(details.toReply().items).toHaveLength(2)
})

describe('the codes (erp.md#result-codes)', () => {
  const root = new URL('../../../', import.meta.url)
  const sources = ['catalog', 'stock'].flatMap((service) => {
    const folder = new URL(`services/${service}/src/`, root)
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .map((path) => readFileSync(new URL(path, folder), 'utf8'))
  })

  it('that the reading of a batch makes are those that a batch can have', () => {
    const products = [
      { id_erp: 1, name: 'x'.repeat(192), sort_order: 1.5, description_full: '\u0000' },
      { name: 'N', attributes: Array.from({ length: 501 }, () => ({ name: 'a' })) },
    ]
    const repeated = { product_id_erp: 'b', quantity: 1 }
    const stocks = [{ product_id_erp: 'a', quantity: -1, supply_date: '2026-02-30' }, repeated, repeated]
    const prices = [{ product_id_erp: 'a', selling_price: 'x' }]
    const codes = [
      ...collect(upsertProducts, products).items,
      ...collect(updateStocks, stocks).items,
      ...collect(updatePrices, prices).items,
    ].map(({ code }) => code)
    const outcomes = Object.entries(resultCodes).flatMap(([code, level]) =>
      sources.some((text) => new RegExp(`\\bcode(:| =).*'${code}'`).test(text)) ? [] : [[code, level]],
    )
    expect(outcomes.map(([code]) => code).toSorted()).toEqual([...new Set(codes)].toSorted())
    expect(new Set(outcomes.map(([, level]) => level))).toEqual(new Set(['note', 'rejected']))
  })

  it('are those of the API description', () => {
    const { description = '' } = resultDetail.shape.code
    expect([...description.matchAll(/`(\w+)`/g)].map(([, code]) => code)).toEqual(Object.keys(resultCodes))
  })
})

it('the specification lists every code with its level (erp.md#result-codes, erp.md#details-levels)', () => {
  const page = readFileSync(new URL('../../../docs/spec/erp.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (note|retrying|failed|rejected) \|/gm)]
  expect(rows.map(([, code, level]) => [code, level])).toEqual(Object.entries(resultCodes))
})
