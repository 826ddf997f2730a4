import { articleKey } from '@partsbus/contracts/article'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { findParts as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { BrandsQuestion } from '../adapters/adapter.js'
import { askParts, beginParts } from '../adapters/ask-all.js'
import type { SupplierSearchContext } from '../context.js'
import { lastBrandNames, readBrandNames, readRevision } from '../synonyms/read-brand-names.js'
import { wantedStorages } from './asked-storages.js'
import { Budget } from './budget.js'
import { mergeParts } from './merge-parts.js'
import { judge } from './storage-answer.js'

/**
 * `POST /get-parts` (partners.md#parts): offers of the article by the given brands, in any spelling of each.
 * @throws AppError UNAVAILABLE or TIMEOUT when it cannot be told whom to ask; suppliers that fail are outcomes
 */
export function findParts(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { article, brands, pick_up_points } = call.body
  const budget = new Budget(call.timeLeft())
  const wanted = wantedStorages(pick_up_points, call.settings)
  return ctx.questions.ask(JSON.stringify(['parts', article, brands, wanted, budget.size]), async (readsEnded) => {
    const question: BrandsQuestion = { article, articleKey: articleKey(article), begun: new Map() }
    const guessed = lastBrandNames(ctx, brands)
    if (guessed && question.articleKey !== '')
      beginParts(ctx, ctx.storages.lastTime(wanted), { ...question, brands, names: guessed }, budget)
    const [storages, names] = await Promise.all([
      question.articleKey === '' ? [] : ctx.storages.read(wanted, budget),
      readBrandNames(ctx, brands, readRevision(ctx, budget), budget),
    ])
    readsEnded()
    const answers = await askParts(ctx, storages, { ...question, brands, names }, budget)
    const identities = new Set(brands.map((brand) => names.identity(brand)))
    identities.delete('')
    const { result, message, suppliers } = judge(answers)
    return {
      result,
      message,
      parts: mergeParts(answers, names, { article: question.articleKey, brands: identities }),
      suppliers,
    }
  })
}
