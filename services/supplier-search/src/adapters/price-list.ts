import { brandKey } from '@partsbus/contracts/article'
import type { RequestOf } from '@partsbus/contracts/message'
import { findOffers } from '@partsbus/contracts/pricing'
import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import { type Offer, readOffer } from '../search/offer.js'
import type { AskedStorage } from '../search/storage-answer.js'
import { answerTogether } from './answer-together.js'
import { begunOnce, type BrandsQuestion, type OwnAdapter, type PartsQuestion } from './adapter.js'

/** As many as one question to the price lists may name; with more, all brands are asked for and sorted out afterwards. */
const MAX_BRANDS = 1_000

/** The live offers of the active price lists of each storage (architecture.md#search). */
export const priceList: OwnAdapter = {
  brands: (ctx, storages, question, budget) =>
    answerTogether(ctx, { adapter: 'price-list', operation: 'brands', storages }, () =>
      findListed(ctx, storages, question, {}, budget),
    ),
  parts: (ctx, storages, question, budget) =>
    answerTogether(ctx, { adapter: 'price-list', operation: 'parts', storages }, () =>
      findListed(ctx, storages, question, brandKeys(question), budget),
    ),
  beginBrands: (ctx, storages, question, budget) => {
    findListed(ctx, storages, question, {}, budget).catch(() => undefined)
  },
  beginParts: (ctx, storages, question, budget) => {
    findListed(ctx, storages, question, brandKeys(question), budget).catch(() => undefined)
  },
}

function brandKeys({ brands, names }: PartsQuestion): { brand_keys?: string[] } {
  const keys = [...new Set(brands.flatMap((brand) => names.spellings(brand)).map(brandKey))]
  return keys.length > MAX_BRANDS ? {} : { brand_keys: keys }
}

function findListed(
  ctx: SupplierSearchContext,
  storages: readonly AskedStorage[],
  question: BrandsQuestion,
  brands: { brand_keys?: string[] },
  budget: Budget,
): Promise<ReadonlyMap<number, Offer[]>> {
  const limit = budget.limit()
  const request = { storage_ids: storages.map(({ id }) => id), article_key: question.articleKey, ...brands }
  const key = `price-list ${JSON.stringify(request)}`
  return begunOnce(question, key, () => ctx.reads.read(key, limit, () => readListed(ctx, request, limit)))
}

async function readListed(
  ctx: SupplierSearchContext,
  request: RequestOf<typeof findOffers>,
  timeoutMs: number,
): Promise<Map<number, Offer[]>> {
  const { offers } = await ctx.calls.request(findOffers, request, { timeoutMs })
  const found = new Map<number, Offer[]>()
  for (const { storage_id, ...row } of offers) {
    const offer = readOffer(row)
    if (!offer) continue
    const rows = found.get(storage_id)
    if (rows) rows.push(offer)
    else found.set(storage_id, [offer])
  }
  return found
}
