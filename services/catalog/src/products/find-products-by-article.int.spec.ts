import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { articleKey } from '@partsbus/contracts/article'
import { deactivateProducts, findProductsByArticle } from '@partsbus/contracts/catalog'
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
})
