import { getCategory, getProduct } from '@partsbus/contracts/catalog'
import { upsertCategories, upsertProducts } from '@partsbus/contracts/catalog'
import { readBatch } from '@partsbus/contracts/batch'
import { defaultCallSettings } from '@partsbus/contracts/settings'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { upsertCategoryBatch } from '../categories/upsert-categories.js'
import type { CatalogContext } from '../context.js'
import { upsertProductBatch } from '../products/upsert-products.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
let other: CatalogContext
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  other = (await catalog.startReplica()).ctx
})
afterAll(() => catalog.stop())

const limits = { errorPolicy: 'reject_batch', maxItems: 5_000 } as const
const callOf = { settings: defaultCallSettings, timeLeft: () => 30_000 }
/** asks one chosen process, not whichever is free */
const productsAt = (ctx: CatalogContext, items: unknown[]) =>
  upsertProductBatch(ctx, { ...callOf, body: readBatch(upsertProducts, items, limits) })
const categoriesAt = (ctx: CatalogContext, items: unknown[]) =>
  upsertCategoryBatch(ctx, { ...callOf, body: readBatch(upsertCategories, items, limits) })
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const sum = (results: Array<{ created: number; updated: number }>) =>
  results.reduce((all, one) => ({ created: all.created + one.created, updated: all.updated + one.updated }), {
    created: 0,
    updated: 0,
  })

describe('many writers, two processes', () => {
  it('50 parallel upserts of one new key: one record, created 1, updated 49, all attributes there', async () => {
    const results = await Promise.all(
      times(50, (at) =>
        catalog.products([{ id_erp: 'one', name: 'One', attributes: [{ name: `by ${at}`, value: 'x' }] }]),
      ),
    )
    expect(sum(results)).toEqual({ created: 1, updated: 49 })
    const { attributes } = await catalog.ask(getProduct, { erp_id: 'one' })
    expect(attributes.map(({ name }) => name).sort()).toEqual(times(50, (at) => `by ${at}`).sort())
    expect(await catalog.ctx.products.collection.countDocuments({ _id: 'one' })).toBe(1)
  })

  it('100 parallel creates of one name: 100 slugs, without gaps', async () => {
    expect(
      sum(await Promise.all(times(100, (at) => catalog.products([{ id_erp: `name${at}`, name: 'Same Name' }])))),
    ).toEqual({ created: 100, updated: 0 })
    const slugs = (await catalog.ctx.products.collection.find({ _id: { $regex: '^name' } }).toArray()).map(
      ({ slug }) => slug,
    )
    expect(slugs.sort()).toEqual(['same-name', ...times(99, (at) => `same-name-${at + 2}`)].sort())
  })

  it('two batches that touch different attributes of the same products lose neither', async () => {
    const keys = times(200, (at) => `attr${at}`)
    await catalog.products(keys.map((id_erp) => ({ id_erp, name: id_erp })))
    for (const round of ['1', '2', '3']) {
      await Promise.all(
        ['a', 'b'].map((name, at) =>
          productsAt(
            at === 0 ? catalog.ctx : other,
            keys.map((id_erp) => ({ id_erp, name: id_erp, attributes: [{ name: name + round, value: round }] })),
          ),
        ),
      )
    }
    const expected = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']
    for (const doc of (await catalog.ctx.products.findByErpIds(keys)).values())
      expect(doc.attributes.map(({ name }) => name).sort()).toEqual(expected)
  })

  it('rule 3 holds in a race: a full description is never replaced by a short one', async () => {
    const keys = times(100, (at) => `desc${at}`)
    await catalog.products(keys.map((id_erp) => ({ id_erp, name: id_erp })))
    await Promise.all([
      productsAt(
        catalog.ctx,
        keys.map((id_erp) => ({ id_erp, name: id_erp, description_short: 'short' })),
      ),
      productsAt(
        other,
        keys.map((id_erp) => ({ id_erp, name: id_erp, description_full: 'full' })),
      ),
    ])
    for (const doc of (await catalog.ctx.products.findByErpIds(keys)).values()) expect(doc.description).toBe('full')
  })

  it('8 writers × 1,000 creates: 8,000 ids, none twice', async () => {
    const results = await Promise.all(
      times(8, (writer) =>
        catalog.products(times(1_000, (at) => ({ id_erp: `w${writer}-${at}`, name: `W ${writer} ${at}` }))),
      ),
    )
    expect(sum(results)).toEqual({ created: 8_000, updated: 0 })
    expect(new Set(await catalog.ctx.products.collection.distinct('id', { _id: { $regex: '^w\\d-' } })).size).toBe(
      8_000,
    )
  }, 60_000)

  it('the same 1,000 items in opposite orders, four at a time: all succeed, and each item is as one of the batches left it', async () => {
    const batch = (by: number) =>
      times(1_000, (at) => ({ id_erp: `opp${at}`, name: `By ${by}`, brand: `By ${by}`, slug: `opp-${at}` }))
    const results = await Promise.all(
      times(4, (by) => productsAt(by % 2 ? catalog.ctx : other, by % 2 ? batch(by) : batch(by).toReversed())),
    )
    expect(sum(results)).toEqual({ created: 1_000, updated: 3_000 })
    expect(results.flatMap(({ errors }) => errors)).toEqual([])
    const docs = [...(await catalog.ctx.products.findByErpIds(batch(0).map(({ id_erp }) => id_erp))).values()]
    expect(docs.filter((doc) => doc.name !== doc.brand)).toEqual([])
  }, 60_000)
})

describe('links across processes', () => {
  it('a category that arrives while products wait for it, in another process, is linked in the end', async () => {
    await Promise.all(
      times(20, async (at) => {
        await Promise.all([
          productsAt(catalog.ctx, [{ id_erp: `late${at}`, name: 'L', category_id_erp: `cat${at}` }]),
          categoriesAt(other, [{ id_erp: `cat${at}`, name: 'C' }]),
        ])
        expect((await catalog.ask(getProduct, { erp_id: `late${at}` })).categories.map(({ erp_id }) => erp_id)).toEqual(
          [`cat${at}`],
        )
      }),
    )
  })

  it('a parent that arrives while its child is sent, in another process, is linked when both are answered', async () => {
    await Promise.all(
      times(20, (at) =>
        Promise.all([
          categoriesAt(catalog.ctx, [{ id_erp: `kid${at}`, name: 'K', parent_id_erp: `dad${at}` }]),
          categoriesAt(other, [{ id_erp: `dad${at}`, name: 'D' }]),
        ]),
      ),
    )
    for (const at of times(20, (n) => n)) {
      const dad = await catalog.ask(getCategory, { erp_id: `dad${at}` })
      expect((await catalog.ask(getCategory, { erp_id: `kid${at}` })).parent_id).toBe(dad.id)
    }
  })

  it('two batches cannot close a cycle together', async () => {
    const keys = times(10, (at) => `ring${at}`)
    await catalog.categories(keys.map((id_erp) => ({ id_erp, name: id_erp })))
    const results = await Promise.all(
      keys.map((id_erp, at) =>
        categoriesAt(at % 2 ? catalog.ctx : other, [
          { id_erp, name: id_erp, parent_id_erp: keys[(at + 1) % keys.length] },
        ]),
      ),
    )
    expect(results.flatMap(({ errors }) => errors).map(({ message }) => message)).toEqual([
      'Category parent would form a cycle.',
    ])
    const docs = await catalog.ctx.categories.findByErpIds(keys)
    expect([...docs.values()].filter(({ parent_erp_id }) => parent_erp_id === null)).toHaveLength(1)
  })
})
