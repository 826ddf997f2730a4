import { articleKey } from '@partsbus/contracts/article'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { findBrands as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/call'
import { askBrands } from '../adapters/ask-all.js'
import type { SupplierSearchContext } from '../context.js'
import { readBrandNames } from '../synonyms/read-brand-names.js'
import { Budget } from './budget.js'
import { mergeBrands } from './merge-brands.js'
import { resolveAsked } from './resolve-asked.js'
import { judge } from './storage-answer.js'

/**
 * `POST /get-brands` (B2B document): who has the article, by brand.
 * @throws AppError UNAVAILABLE or TIMEOUT when it cannot be told whom to ask; suppliers that fail are outcomes
 */
export async function findBrands(ctx: SupplierSearchContext, call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
  const { article, pick_up_points } = call.body
  const key = articleKey(article)
  const budget = new Budget(call.timeLeft())
  const storages = key === '' ? [] : await resolveAsked(ctx, pick_up_points, call.settings, budget)
  const answers = await askBrands(ctx, storages, { article, articleKey: key }, budget)
  const names = await readBrandNames(ctx, answers.flatMap(({ rows }) => rows.map(({ brand }) => brand)), budget)
  const { result, message, suppliers } = judge(answers)
  return { result, message, brands: mergeBrands(answers, names, key), suppliers }
}
