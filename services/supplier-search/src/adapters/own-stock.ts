import { findProductsByArticle } from '@partsbus/contracts/catalog'
import { findSupplies } from '@partsbus/contracts/stock'
import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import { type Offer, readOffer } from '../search/offer.js'
import type { AskedStorage } from '../search/storage-answer.js'
import { answerTogether } from './answer-together.js'
import { begunOnce, type BrandsQuestion, type OwnAdapter } from './adapter.js'

/** As many as one question to the stock may name. */
const CHUNK = 1_000

/** The shop's own products of the article, with the supplies of each storage (architecture.md#search). */
export const ownStock: OwnAdapter = {
  brands: (ctx, storages, question, budget) =>
    answerTogether(ctx, { adapter: 'own-stock', operation: 'brands', storages }, () =>
      findStock(ctx, storages, question, budget),
    ),
  parts: (ctx, storages, question, budget) =>
    answerTogether(ctx, { adapter: 'own-stock', operation: 'parts', storages }, () =>
      findStock(ctx, storages, question, budget),
    ),
  beginBrands: (ctx, storages, question, budget) => {
    findStock(ctx, storages, question, budget).catch(() => undefined)
  },
  beginParts: (ctx, storages, question, budget) => {
    findStock(ctx, storages, question, budget).catch(() => undefined)
  },
}

/** Positions with a quantity, by storage: a product that a storage has none of is not offered there. */
function findStock(
  ctx: SupplierSearchContext,
  storages: readonly AskedStorage[],
  question: BrandsQuestion,
  budget: Budget,
): Promise<ReadonlyMap<number, Offer[]>> {
  const { articleKey } = question
  const limit = budget.limit()
  const storageIds = storages.map(({ id }) => id)
  const key = `own-stock ${articleKey} ${storageIds}`
  return begunOnce(question, key, () => ctx.reads.read(key, limit, () => readStock(ctx, storageIds, articleKey, limit)))
}

async function readStock(
  ctx: SupplierSearchContext,
  storageIds: number[],
  articleKey: string,
  limit: number,
): Promise<Map<number, Offer[]>> {
  const started = performance.now()
  const { products } = await ctx.calls.request(findProductsByArticle, { article_key: articleKey }, { timeoutMs: limit })
  const found = new Map<number, Offer[]>()
  const byId = new Map(products.map((product) => [product.id, product]))
  for (let at = 0; at < products.length; at += CHUNK) {
    const productIds = products.slice(at, at + CHUNK).map(({ id }) => id)
    const timeoutMs = Math.max(1, Math.floor(limit - (performance.now() - started)))
    const { supplies } = await ctx.calls.request(
      findSupplies,
      { product_ids: productIds, storage_ids: storageIds },
      { timeoutMs },
    )
    for (const { product_id, storage_id, quantity, selling_price, delivery_days } of supplies) {
      const offer = readOffer({ ...byId.get(product_id), quantity, price: selling_price, delivery_days })
      if (offer) found.set(storage_id, [...(found.get(storage_id) ?? []), offer])
    }
  }
  return found
}
