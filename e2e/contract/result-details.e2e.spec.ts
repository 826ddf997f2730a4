import { beforeAll, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

interface Answer {
  message: string
  errors: unknown
  details?: {
    unchanged: number
    media_pending: number
    ignored_fields: Record<string, number>
    items: { index: number; key: string; path: string; code: string; level: string; message: string }[]
  }
}

const open = useShop()
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  open().erp.send<Answer>('POST', path, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
const detailed = { 'x-result-details': '1' }

describe('X-Result-Details (erp.md#result-details)', () => {
  beforeAll(async () => {
    expectStatus(await open().erp.post('/products/batch-upsert', [{ id_erp: 'rd-1', name: 'One' }]), 200)
  })

  it('adds nothing but details, and only when it is sent (erp.md#details-ignored)', async () => {
    const body = [
      { id_erp: 'rd-1', name: 'One', price: 5 },
      { id_erp: 'rd-1', name: 'One', category_id_erp: 'rd-none' },
    ]
    for (const headers of [{}, { 'x-result-details': '0' }] as Record<string, string>[])
      expect(Object.keys((await send('/products/batch-upsert', body, headers)).body)).toEqual([
        'processed',
        'created',
        'updated',
        'errors',
      ])
    const { body: answer } = await send('/products/batch-upsert', body, detailed)
    expect(answer).toEqual({
      processed: 2,
      created: 0,
      updated: 2,
      errors: [{ id_erp: 'rd-1', message: 'Category with id_erp=rd-none not found.' }],
      details: {
        unchanged: 2,
        media_pending: 0,
        ignored_fields: { price: 1 },
        items: [
          {
            index: 0,
            key: 'rd-1',
            path: '',
            code: 'item_repeated',
            level: 'note',
            message: 'A later item of the batch has the same id_erp and is applied after this one.',
            reason: null,
          },
          {
            index: 1,
            key: 'rd-1',
            path: 'category_id_erp',
            code: 'category_not_found',
            level: 'retrying',
            message: 'Category with id_erp=rd-none not found.',
            reason: null,
          },
        ],
      },
    })
  })

  it.each([
    ['/stocks/batch-update', { product_id_erp: 'rd-none', quantity: 1 }],
    ['/prices/batch-update', { product_id_erp: 'rd-none', selling_price: 1 }],
  ])('names the items of unknown products of %s (erp.md#details-items)', async (path, item) => {
    const { body } = await send(path, [item], detailed)
    expect(body.details?.items).toEqual([
      {
        index: 0,
        key: 'rd-none',
        path: 'product_id_erp',
        code: 'product_not_found',
        level: 'rejected',
        message: 'Product not found for given ERP ID.',
        reason: null,
      },
    ])
  })

  it('adds the violations of a refused batch as codes (erp.md#details-422)', async () => {
    const { status, body } = await send('/products/batch-upsert', [{ id_erp: 'rd-2' }], detailed)
    expect([status, body.message, body.errors]).toEqual([
      422,
      'The given data was invalid.',
      { '0.name': ['The name field is required.'] },
    ])
    expect(body.details?.items).toMatchObject([{ index: 0, key: 'rd-2', path: 'name', code: 'required' }])
    expect(Object.keys((await send('/products/batch-upsert', [{ id_erp: 'rd-2' }])).body)).toEqual([
      'message',
      'errors',
    ])
  })

  it('works for a delete (erp.md#details-unchanged)', async () => {
    const { body } = await send('/products/delete', { ids_erp: ['rd-none'] }, detailed)
    expect(body.details).toMatchObject({ unchanged: 0, items: [{ index: 0, key: 'rd-none', code: 'not_found' }] })
  })

  it('refuses another value and names the allowed ones', async () => {
    const { status, body } = await send('/products/batch-upsert', [], { 'x-result-details': 'yes' })
    expect([status, body.errors]).toEqual([
      422,
      { 'x-result-details': ['The selected x-result-details is invalid. It must be 0 or 1.'] },
    ])
  })
})
