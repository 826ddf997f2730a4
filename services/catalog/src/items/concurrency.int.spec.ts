import { getCategory, getProduct } from '@partsbus/contracts/catalog/commands'
import { upsertCategories, upsertProducts } from '@partsbus/contracts/catalog/commands'
import { readBatch } from '@partsbus/contracts/batch'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import type { RunningService } from '@partsbus/platform/process/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CategoryStore } from '../categories/category-store.js'
import { UpsertCategories } from '../categories/upsert-categories.js'
import { ProductStore } from '../products/product-store.js'
import { UpsertProducts } from '../products/upsert-products.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
let here: RunningService
let other: RunningService
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  here = catalog.service
  other = await catalog.startReplica()
})
afterAll(() => catalog.stop())

const limits = { errorPolicy: 'reject_batch', maxItems: 5_000 } as const
const callOf = { settings: defaultCallSettings, timeLeft: () => 30_000 }
/** calls one of the two processes */
const productsAt = ({ app }: RunningService, items: unknown[]) =>
  app.get(UpsertProducts).upsertProducts({ ...callOf, body: readBatch(upsertProducts, items, limits) })
const categoriesAt = ({ app }: RunningService, items: unknown[]) =>
  app.get(UpsertCategories).upsertCategories({ ...callOf, body: readBatch(upsertCategories, items, limits) })
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const sum = (results: Array<{ created: number; updated: number }>) =>
  results.reduce((all, one) => ({ created: all.created + one.created, updated: all.updated + one.updated }), {
    created: 0,
    updated: 0,
  })

describe('concurrent batches in two processes', () => {
  it('create one product from 50 upserts of one new key and keep all attributes', async () => {
    const results = await Promise.all(
      times(50, (at) =>
        catalog.products([{ id_erp: 'one', name: 'One', attributes: [{ name: `by ${at}`, value: 'x' }] }]),
      ),
    )
    expect(sum(results)).toEqual({ created: 1, updated: 49 })
    const { attributes } = await catalog.ask(getProduct, { erp_id: 'one' })
    expect(attributes.map(({ name }) => name).sort()).toEqual(times(50, (at) => `by ${at}`).sort())
    expect(await catalog.get(ProductStore).collection.countDocuments({ _id: 'one' })).toBe(1)
  })

  it('allocate 100 slugs of one name without gaps', async () => {
    expect(
      sum(await Promise.all(times(100, (at) => catalog.products([{ id_erp: `name${at}`, name: 'Same Name' }])))),
    ).toEqual({ created: 100, updated: 0 })
    const slugs = (
      await catalog
        .get(ProductStore)
        .collection.find({ _id: { $regex: '^name' } })
        .toArray()
    ).map(({ slug }) => slug)
    expect(slugs.sort()).toEqual(['same-name', ...times(99, (at) => `same-name-${at + 2}`)].sort())
  })

  it('keep the attributes of both batches of the same products', async () => {
    const keys = times(200, (at) => `attr${at}`)
    await catalog.products(keys.map((id_erp) => ({ id_erp, name: id_erp })))
    for (const round of ['1', '2', '3']) {
      await Promise.all(
        ['a', 'b'].map((name, at) =>
          productsAt(
            at === 0 ? here : other,
            keys.map((id_erp) => ({ id_erp, name: id_erp, attributes: [{ name: name + round, value: round }] })),
          ),
        ),
      )
    }
    const expected = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']
    for (const doc of (await catalog.get(ProductStore).findByErpIds(keys)).values())
      expect(doc.attributes.map(({ name }) => name).sort()).toEqual(expected)
  })

  it('never replace a full description by a short one (erp.md#products-3)', async () => {
    const keys = times(100, (at) => `desc${at}`)
    await catalog.products(keys.map((id_erp) => ({ id_erp, name: id_erp })))
    await Promise.all([
      productsAt(
        here,
        keys.map((id_erp) => ({ id_erp, name: id_erp, description_short: 'short' })),
      ),
      productsAt(
        other,
        keys.map((id_erp) => ({ id_erp, name: id_erp, description_full: 'full' })),
      ),
    ])
    for (const doc of (await catalog.get(ProductStore).findByErpIds(keys)).values())
      expect(doc.description).toBe('full')
  })

  it('allocate 8,000 distinct ids to 8 batches of 1,000', async () => {
    const results = await Promise.all(
      times(8, (writer) =>
        catalog.products(times(1_000, (at) => ({ id_erp: `w${writer}-${at}`, name: `W ${writer} ${at}` }))),
      ),
    )
    expect(sum(results)).toEqual({ created: 8_000, updated: 0 })
    expect(new Set(await catalog.get(ProductStore).collection.distinct('id', { _id: { $regex: '^w\\d-' } })).size).toBe(
      8_000,
    )
  })

  it('write the same 1,000 items in opposite orders four at a time without mixing their fields', async () => {
    const batch = (by: number) =>
      times(1_000, (at) => ({ id_erp: `opp${at}`, name: `By ${by}`, brand: `By ${by}`, slug: `opp-${at}` }))
    const results = await Promise.all(
      times(4, (by) => productsAt(by % 2 ? here : other, by % 2 ? batch(by) : batch(by).toReversed())),
    )
    expect(sum(results)).toEqual({ created: 1_000, updated: 3_000 })
    expect(results.flatMap(({ errors }) => errors)).toEqual([])
    const docs = [...(await catalog.get(ProductStore).findByErpIds(batch(0).map(({ id_erp }) => id_erp))).values()]
    expect(docs.filter((doc) => doc.name !== doc.brand)).toEqual([])
  })
})

describe('slugs of concurrent batches', () => {
  it('are unique and without gaps when two processes write 100 products of one name each', async () => {
    const results = await Promise.all(
      times(20, (at) =>
        productsAt(
          at % 2 ? here : other,
          times(10, (n) => ({ id_erp: `both${at}-${n}`, name: 'Both Names' })),
        ),
      ),
    )
    expect(sum(results)).toEqual({ created: 200, updated: 0 })
    const stored = await catalog
      .get(ProductStore)
      .collection.find({ _id: { $regex: '^both' } })
      .toArray()
    expect(stored.map(({ slug }) => slug).sort()).toEqual(
      ['both-names', ...times(199, (at) => `both-names-${at + 2}`)].sort(),
    )
  })

  it('are unique when two processes write the same 300 names in opposite orders', async () => {
    const batch = (by: string) => times(300, (at) => ({ id_erp: `${by}-${at}`, name: `Cross ${at}` }))
    const results = await Promise.all([
      productsAt(here, batch('x')),
      productsAt(other, batch('y').toReversed()),
      productsAt(here, batch('z').toReversed()),
    ])
    expect(sum(results)).toEqual({ created: 900, updated: 0 })
    const stored = await catalog
      .get(ProductStore)
      .collection.find({ _id: { $regex: '^[xyz]-' } })
      .toArray()
    expect(stored.map(({ slug }) => slug).sort()).toEqual(
      times(300, (at) => [`cross-${at}`, `cross-${at}-2`, `cross-${at}-3`])
        .flat()
        .sort(),
    )
  })
})

describe('links between processes', () => {
  it('are set when a category arrives while another process writes its products', async () => {
    await Promise.all(
      times(20, async (at) => {
        await Promise.all([
          productsAt(here, [{ id_erp: `late${at}`, name: 'L', category_id_erp: `cat${at}` }]),
          categoriesAt(other, [{ id_erp: `cat${at}`, name: 'C' }]),
        ])
        expect((await catalog.ask(getProduct, { erp_id: `late${at}` })).categories.map(({ erp_id }) => erp_id)).toEqual(
          [`cat${at}`],
        )
      }),
    )
  })

  it('are set when a parent arrives while another process writes its child', async () => {
    await Promise.all(
      times(20, (at) =>
        Promise.all([
          categoriesAt(here, [{ id_erp: `kid${at}`, name: 'K', parent_id_erp: `dad${at}` }]),
          categoriesAt(other, [{ id_erp: `dad${at}`, name: 'D' }]),
        ]),
      ),
    )
    for (const at of times(20, (n) => n)) {
      const dad = await catalog.ask(getCategory, { erp_id: `dad${at}` })
      expect((await catalog.ask(getCategory, { erp_id: `kid${at}` })).parent_id).toBe(dad.id)
    }
  })

  it('never form a cycle out of two batches', async () => {
    const keys = times(10, (at) => `ring${at}`)
    await catalog.categories(keys.map((id_erp) => ({ id_erp, name: id_erp })))
    const results = await Promise.all(
      keys.map((id_erp, at) =>
        categoriesAt(at % 2 ? here : other, [{ id_erp, name: id_erp, parent_id_erp: keys[(at + 1) % keys.length] }]),
      ),
    )
    expect(results.flatMap(({ errors }) => errors).map(({ message }) => message)).toEqual([
      'Category parent would form a cycle.',
    ])
    const docs = await catalog.get(CategoryStore).findByErpIds(keys)
    expect([...docs.values()].filter(({ parent_erp_id }) => parent_erp_id === null)).toHaveLength(1)
  })
})
