import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { articleKey, brandKey } from '@partsbus/contracts/article'
import { deactivateProducts, findProductsByArticle } from '@partsbus/contracts/catalog/commands'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  await catalog.products([
    { id_erp: 'a', name: 'Filter', brand: 'Knecht', article: 'oc-90' },
    { id_erp: 'b', name: 'Other filter', article: 'OC 90' },
    { id_erp: 'c', name: 'Gone', brand: 'Mann', article: 'OC90' },
    { id_erp: 'd', name: 'Longer', brand: 'Mann', article: 'OC901' },
    { id_erp: 'e', name: 'No article', brand: 'Mann' },
    { id_erp: 'f', name: 'Dashes', brand: 'Mann', article: '--' },
  ])
  await catalog.send(deactivateProducts, { ids_erp: ['c'] })
})
afterAll(() => catalog.stop())

const find = async (article: string) =>
  (await catalog.ask(findProductsByArticle, { article_key: articleKey(article) })).products

describe('findProductsByArticle', () => {
  it('compares normalized articles, omits soft-deleted products and returns the article as sent', async () => {
    expect(await find('OC.90')).toEqual([
      { id: expect.any(Number), brand: 'Knecht', article: 'oc-90', name: 'Filter' },
      { id: expect.any(Number), brand: null, article: 'OC 90', name: 'Other filter' },
    ])
  })

  it('omits inactive products', async () => {
    await catalog.db.collection<{ _id: string }>('products').updateOne({ _id: 'b' }, { $set: { is_active: false } })
    expect(await find('OC90')).toHaveLength(1)
  })

  it('returns nothing for an empty or unknown article', async () => {
    expect(await find('-')).toEqual([])
    expect(await find('unknown')).toEqual([])
  })

  it('returns the products of the requested brands only, in any writing', async () => {
    const request = { article_key: 'OC90', brand_keys: [brandKey('"KNECHT"')] }
    expect(await catalog.ask(findProductsByArticle, request)).toEqual({
      products: [{ id: expect.any(Number), brand: 'Knecht', article: 'oc-90', name: 'Filter' }],
    })
  })

  it('says when an article has more products than a reply holds', async () => {
    const products = catalog.db.collection('products')
    const { _id, ...copied } = (await products.findOne({ article_key: 'OC90' })) ?? {}
    const copies = Array.from({ length: 5_001 }, (_, at) => ({
      ...copied,
      _id: `copy-${at}` as never,
      id: 1_000_000 + at,
      slug: `copy-${at}`,
      article_key: 'MANY',
    }))
    await products.insertMany(copies)
    const { products: found, is_cut } = await catalog.ask(findProductsByArticle, { article_key: 'MANY' })
    expect([found.length, is_cut]).toEqual([5_000, true])
  })
})
