import { describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

const open = useShop()
const send = (item: object, headers: Record<string, string> = {}) =>
  open().erp.send<{ errors: unknown; updated: number }>('POST', '/products/batch-upsert', {
    body: JSON.stringify([{ id_erp: 'mode-1', name: 'Mode', ...item }]),
    headers: { 'content-type': 'application/json', ...headers },
  })
const replace = { 'x-update-mode': 'replace' }
const shown = async () => {
  const { categories, attributes } = await open().productOf('mode-1')
  return [categories.map(({ erp_id }) => erp_id), attributes.map(({ name, value }) => `${name}=${value}`)]
}

describe('X-Update-Mode (erp.md#update-mode)', () => {
  it('lets a product leave a category and lose an attribute, only with the header', async () => {
    const categories = ['mode-a', 'mode-b'].map((id) => ({ id_erp: id, name: id }))
    expectStatus(await open().erp.post('/categories/batch-upsert', categories), 200)
    await send({ category_id_erp: 'mode-a', attributes: [{ name: 'x', value: '1' }] })
    await send({ category_id_erp: 'mode-b', attributes: [{ name: 'y', value: '2' }] }, { 'x-update-mode': 'merge' })
    expect(await shown()).toEqual([
      ['mode-a', 'mode-b'],
      ['x=1', 'y=2'],
    ])
    expect((await send({ category_id_erp: 'mode-b' }, replace)).body).toEqual({
      processed: 1,
      created: 0,
      updated: 1,
      errors: [],
    })
    expect(await shown()).toEqual([['mode-b'], ['x=1', 'y=2']])
    await send({ attributes: [{ name: 'y', value: '3' }] }, replace)
    expect(await shown()).toEqual([['mode-b'], ['y=3']])
    await send({ category_id_erp: null, attributes: [] }, replace)
    expect(await shown()).toEqual([[], []])
  })

  it('refuses another value and writes nothing', async () => {
    const { status, body } = await send({ name: 'Other' }, { 'x-update-mode': 'overwrite' })
    expect([status, body.errors]).toEqual([
      422,
      { 'x-update-mode': ['The selected x-update-mode is invalid. It must be merge or replace.'] },
    ])
    expect((await open().productOf('mode-1')).name).toBe('Mode')
  })
})
