import { articleKey } from '@partsbus/contracts/article'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { findParts as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/call'
import { askParts } from '../adapters/ask-all.js'
import type { SupplierSearchContext } from '../context.js'
import { readBrandNames } from '../synonyms/read-brand-names.js'
import { Budget } from './budget.js'
import { mergeParts } from './merge-parts.js'
import { resolveAsked } from './resolve-asked.js'
import { judge } from './storage-answer.js'

/**
 * `POST /get-parts` (B2B document): offers of the article by the given brands, in any spelling of each.
 * @throws AppError UNAVAILABLE or TIMEOUT when it cannot be told whom to ask; suppliers that fail are outcomes
 */
export async function findParts(ctx: SupplierSearchContext, call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
  const { article, brands, pick_up_points } = call.body
  const key = articleKey(article)
  const budget = new Budget(call.timeLeft())
  const [storages, names] = await Promise.all([
    key === '' ? [] : resolveAsked(ctx, pick_up_points, call.settings, budget),
    readBrandNames(ctx, brands, budget),
  ])
  const answers = await askParts(ctx, storages, { article, articleKey: key, brands, names }, budget)
  const wanted = new Set(brands.map((brand) => names.identity(brand)))
  wanted.delete('')
  const { result, message, suppliers } = judge(answers)
  return { result, message, parts: mergeParts(answers, names, { article: key, brands: wanted }), suppliers }
}
