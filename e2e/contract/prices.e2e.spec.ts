import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectStatus, type StockResult, type Supply } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

const open = useShop()

const send = (body: unknown, headers: Record<string, string> = {}) =>
  open().erp.send<StockResult & { errors: unknown }>('POST', '/prices/batch-update', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
const supplyOf = async (id: string): Promise<Supply> => (await open().suppliesOf(id))[0] as Supply

describe('prices', () => {
  beforeAll(async () => {
    const products = ['pr-1', 'pr-2', 'pr-3'].map((id) => ({ id_erp: id, name: id }))
    expectStatus(await open().erp.post('/products/batch-upsert', products), 200)
  })

  it('writes prices, and nothing else, in both forms (erp.md#prices-2, erp.md#prices-4, erp.md#prices-6)', async () => {
    await open().erp.post('/stocks/batch-update', [{ product_id_erp: 'pr-1', quantity: 5, delivery_days: 3 }])
    const before = await supplyOf('pr-1')
    const answer = await send([{ product_id_erp: 'pr-1', selling_price: 99.9 }])
    expect([answer.status, answer.body]).toEqual([200, { processed: 1, updated: 1, errors: [] }])
    expect((await send({ prices: [{ product_id_erp: 'pr-1', old_price: 120 }] })).status).toBe(200)
    expect(await supplyOf('pr-1')).toEqual({ ...before, selling_price: 99.9, old_price: 120 })
    await send([{ product_id_erp: 'pr-1', old_price: null }])
    expect(await supplyOf('pr-1')).toEqual({ ...before, selling_price: 99.9 })
  })

  it('is accepted before the first stock update (erp.md#prices-4)', async () => {
    await send([{ product_id_erp: 'pr-2', selling_price: 7 }])
    expect(await supplyOf('pr-2')).toMatchObject({ quantity: 0, selling_price: 7, delivery_days: 0 })
  })

  it('reports unknown and deleted products (erp.md#prices-1)', async () => {
    await open().erp.post('/products/delete', { ids_erp: ['pr-3'] })
    const { body } = await send([
      { product_id_erp: 'pr-none', selling_price: 1 },
      { product_id_erp: 'pr-3', selling_price: 1 },
    ])
    const message = 'Product not found for given ERP ID.'
    expect(body).toEqual({
      processed: 2,
      updated: 0,
      errors: [
        { product_id_erp: 'pr-none', message },
        { product_id_erp: 'pr-3', message },
      ],
    })
  })

  it('applies checks and error policy like other batches (erp.md#price-item, erp.md#prices-5)', async () => {
    const items = [{ product_id_erp: 'pr-1', selling_price: 1.005 }, { product_id_erp: 'pr-2' }]
    const refused = await send(items)
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        errors: {
          '0.selling_price': ['The selling_price must not have more than two decimals.'],
          '1.selling_price': ['One of selling_price, purchase_price and old_price is required.'],
        },
      },
    ])
    const rejected = await send(items, { 'x-error-policy': 'reject-failed-rows' })
    expect([rejected.status, rejected.body.processed, rejected.body.updated]).toEqual([200, 2, 0])
    expect((await send({})).body).toMatchObject({ errors: { prices: ['The prices field is required.'] } })
  })

  describe('without a configured storage', () => {
    afterAll(() => open().set({ erp_storage_id: open().storageId }))
    it('answers 500 before the body (erp.md#stocks-configured)', async () => {
      await open().set({ erp_storage_id: null })
      const answer = await send('not an object')
      expect([answer.status, answer.body]).toEqual([
        500,
        { message: 'Default storage and pick-up point for ERP stocks must be configured.' },
      ])
    })
  })
})
