import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { UpsertResult } from '@partsbus/contracts/result'
import { getProduct, getProductStates, listProducts, upsertProducts } from '@partsbus/contracts/catalog/commands'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { ProductStore } from './product-store.js'

const rejectsRows = { erp_error_policy: 'reject_failed_rows' } as const
const tooLarge = (erpId: string) =>
  `The attributes, description and categories of product ${erpId} must not be larger than 7 MiB.`
const withText = (id_erp: string, name: string, characters: number) => ({
  id_erp,
  name: id_erp,
  attributes: [{ name, value: 'x'.repeat(characters) }],
})

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog.stop())

describe('a product that outgrows its limit over several requests (erp.md#products-10)', () => {
  beforeAll(() => catalog.products([withText('fat', 'a', 4_000_000)]))

  it('rejects the batch and can still be read', async () => {
    await expect(
      catalog.products([{ id_erp: 'good', name: 'G' }, withText('fat', 'b', 4_000_000)]),
    ).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION', details: { errors: { products: [tooLarge('fat')] } } })
    expect((await catalog.ask(getProduct, { erp_id: 'fat' })).attributes).toHaveLength(1)
    await expect(catalog.ask(getProduct, { erp_id: 'good' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('rejects its row alone under reject-failed-rows (erp.md#batch-policy)', async () => {
    const items = [
      { id_erp: 'good', name: 'G' },
      withText('fat', 'b', 4_000_000),
      { id_erp: 'fat', name: 'Fat renamed' },
    ]
    expect(await catalog.products(items, rejectsRows)).toEqual({
      processed: 3,
      created: 1,
      updated: 1,
      errors: [{ id_erp: 'fat', message: tooLarge('fat') }],
    })
    const stored = await catalog.ask(getProduct, { erp_id: 'fat' })
    expect([stored.name, stored.attributes.length]).toEqual(['Fat renamed', 1])
  })

  it('does not create a product whose only row is rejected', async () => {
    const attributes = Array.from({ length: 2 }, (_, n) => ({ name: `n${n}`, value: 'x'.repeat(3_900_000) }))
    expect(await catalog.products([{ id_erp: 'huge', name: 'H', attributes }], rejectsRows)).toEqual({
      processed: 1,
      created: 0,
      updated: 0,
      errors: [{ id_erp: 'huge', message: tooLarge('huge') }],
    })
    await expect(catalog.ask(getProduct, { erp_id: 'huge' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

it('ends a page before it outgrows one message, and after_id continues (admin.md#page-fits)', async () => {
  const ids = ['l1', 'l2', 'l3']
  for (const id of ids) await catalog.products([withText(id, 'a', 5_000_000)])
  const start = (await catalog.ask(getProduct, { erp_id: 'l1' })).id - 1
  const found: string[] = []
  for (let after_id = start; ;) {
    const { data, total } = await catalog.ask(listProducts, { page: 1, per_page: 500, after_id })
    expect(total).toBe(await catalog.get(ProductStore).collection.countDocuments())
    if (data.length === 0) break
    expect(data).toHaveLength(1)
    found.push(...data.map(({ erp_id }) => erp_id))
    after_id = data.at(-1)?.id ?? after_id
  }
  expect(found).toEqual(ids)
})

it('leaves out a stored product that does not fit one message at all', async () => {
  const { id } = await catalog.ask(getProduct, { erp_id: 'l3' })
  await catalog.products([{ id_erp: 'behind', name: 'B' }])
  const attributes = [1, 2].map((n) => ({ name: `n${n}`, type: '', value: 'x'.repeat(4_500_000) }))
  await catalog.get(ProductStore).collection.updateOne({ _id: 'l3' }, { $set: { attributes } })
  const { data } = await catalog.ask(listProducts, { page: 1, per_page: 10, after_id: id - 1 })
  expect(data.map(({ erp_id }) => erp_id)).toEqual(['behind'])
})

describe('a batch of products that are stored with long descriptions (promises.md#promise-6)', () => {
  const keys = Array.from({ length: 30 }, (_, at) => `long-${at}`)
  const named = (name: string) => keys.map((id_erp) => ({ id_erp, name, description_short: 'short' }))
  beforeAll(async () => {
    await catalog.products(named('before'))
    await catalog
      .get(ProductStore)
      .collection.updateMany({ _id: { $in: keys } }, { $set: { description: 'x'.repeat(3_000_000) } })
  })

  it('holds a few of them at a time', async () => {
    const { docs, unread } = await catalog.get(ProductStore).readSlice(keys)
    expect(docs.size).toBeGreaterThan(0)
    expect(docs.size).toBeLessThanOrEqual(3)
    expect([...docs.keys(), ...unread].toSorted()).toEqual(keys.toSorted())
  })

  it('writes all of them, and counts them as one batch', async () => {
    const items = [...named('after'), { id_erp: 'long-new', name: 'New' }]
    expect(await catalog.products(items)).toEqual({ processed: 31, created: 1, updated: 30, errors: [] })
    const { description, name } = await catalog.ask(getProduct, { erp_id: 'long-29' })
    expect([name, description?.length]).toEqual(['after', 3_000_000])
  })

  // rules.md#slug-taken
  it('lets an item have the slug that a later one of them gives up', async () => {
    const { slug } = await catalog.ask(getProduct, { erp_id: 'long-28' })
    const items = [
      { id_erp: 'long-1', name: 'after', description_short: 'x', slug },
      ...named('after').slice(2, -2),
      { id_erp: 'long-28', name: 'after', description_short: 'x', slug: 'given-up' },
      { id_erp: 'long-taker', name: 'New', slug: 'long-29' },
      { id_erp: 'long-29', name: 'after', description_short: 'x', slug: 'kept-by-none' },
    ]
    await catalog.products([{ id_erp: 'long-29', name: 'after', slug: 'long-29' }])
    expect((await catalog.products(items)).errors).toEqual([])
    const slugOf = async (erp_id: string) => (await catalog.ask(getProduct, { erp_id })).slug
    expect(await Promise.all(['long-1', 'long-28', 'long-taker'].map(slugOf))).toEqual([slug, 'given-up', 'long-29'])
  })

  it('holds a few of them also when they have grown since they were read', async () => {
    const store = catalog.get(ProductStore)
    const { collection } = store
    const fresh = Array.from({ length: 12 }, (_, at) => `grown-${at}`)
    const readSlice = store.readSlice.bind(store)
    const readAll = jest.spyOn(store, 'findByErpIds')
    const sizes: number[] = []
    let isFirst = true
    const spy = jest.spyOn(store, 'readSlice').mockImplementation(async (...args) => {
      const slice = await readSlice(...args)
      sizes.push(slice.docs.size)
      if (isFirst) {
        isFirst = false
        // another batch creates all of them meanwhile
        await catalog.products(fresh.map((id_erp) => ({ id_erp, name: 'other' })))
        await collection.updateMany({ _id: { $in: fresh } }, { $set: { description: 'x'.repeat(3_000_000) } })
      }
      return slice
    })
    const items = fresh.map((id_erp) => ({ id_erp, name: 'mine', description_short: 'short' }))
    expect(await catalog.products(items)).toEqual({ processed: 12, created: 0, updated: 12, errors: [] })
    spy.mockRestore()
    expect(readAll).not.toHaveBeenCalled()
    readAll.mockRestore()
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3)
    expect(await collection.countDocuments({ _id: { $in: fresh }, name: 'mine' })).toBe(12)
  })

  // rules.md#shared-resources
  it('reads the attributes of two calls at a time, when many ask for them', async () => {
    const store = catalog.get(ProductStore)
    const readSlice = store.readSlice.bind(store)
    let reading = 0
    let most = 0
    const spy = jest.spyOn(store, 'readSlice').mockImplementation(async (...args) => {
      reading += 1
      most = Math.max(most, reading)
      return readSlice(...args).finally(() => {
        reading -= 1
      })
    })
    const ids_erp = ['long-0', 'long-1']
    const calls = Array.from({ length: 8 }, () => catalog.ask(getProductStates, { ids_erp, fields: true }))
    for (const { products } of await Promise.all(calls)) expect(products).toHaveLength(2)
    spy.mockRestore()
    expect(most).toBe(2)
  })

  // erp.md#batch-policy
  it.each([
    ['becomes', withText('long-29', 'a', 5_000_000)],
    ['is new and', withText('long-0-new', 'a', 7_500_000)],
  ])('rejects all of them when one %s too large', async (_what, item) => {
    const last = { ...item, name: 'never' }
    await expect(catalog.products([...named('never').slice(0, -1), last])).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
    })
    expect((await catalog.ask(getProduct, { erp_id: 'long-0' })).name).toBe('after')
  })

  // rules.md#overload
  it('lets others be served while thousands of violations are listed', async () => {
    const attributes = Array(500).fill({ type: 1 })
    const items = Array.from({ length: 1_000 }, (_, at) => ({ id_erp: `invalid-${at}`, attributes }))
    const body = Buffer.from(JSON.stringify(items))
    const lag = monitorEventLoopDelay({ resolution: 10 })
    lag.enable()
    const reply = await catalog.forward(upsertProducts, body, { erp_error_policy: 'reject_failed_rows' })
    lag.disable()
    const { processed, errors } = JSON.parse(Buffer.from(reply).toString()) as UpsertResult
    expect([processed, errors.length]).toEqual([1_000, 1_000])
    expect(errors[999]).toEqual({ id_erp: 'invalid-999', message: expect.stringMatching(/ 981 more violations\.$/) })
    // 8 s in one piece before
    expect(lag.max / 1e6).toBeLessThan(2_000)
  })
})
