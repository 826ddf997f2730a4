import { articleKey } from '@partsbus/contracts/article'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { findBrands as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { BrandsQuestion } from '../adapters/adapter.js'
import { askBrands, beginBrands } from '../adapters/ask-all.js'
import type { SupplierSearchContext } from '../context.js'
import { readBrandNames, readRevision } from '../synonyms/read-brand-names.js'
import { wantedStorages } from './asked-storages.js'
import { Budget } from './budget.js'
import { mergeBrands } from './merge-brands.js'
import { rowKeys } from './row-keys.js'
import { judge } from './storage-answer.js'

/**
 * `POST /get-brands` (partners.md#brands): who has the article, by brand.
 * @throws AppError UNAVAILABLE or TIMEOUT when it cannot be told whom to ask; suppliers that fail are outcomes
 */
export function findBrands(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { article, pick_up_points } = call.body
  const budget = new Budget(call.timeLeft())
  const wanted = wantedStorages(pick_up_points, call.settings)
  return ctx.questions.ask(JSON.stringify(['brands', article, wanted, budget.size]), async (readsEnded) => {
    const question: BrandsQuestion = { article, articleKey: articleKey(article), begun: new Map() }
    const revision = readRevision(ctx, budget)
    if (question.articleKey !== '') beginBrands(ctx, ctx.storages.lastTime(wanted), question, budget)
    const storages = question.articleKey === '' ? [] : await ctx.storages.read(wanted, budget)
    void revision.then(readsEnded, readsEnded)
    const answers = await askBrands(ctx, storages, question, budget)
    const names = await readBrandNames(
      ctx,
      answers.flatMap(({ rows }) => rows.map((row) => rowKeys(row).brand)),
      revision,
      budget,
    )
    const { result, message, suppliers } = judge(answers)
    return { result, message, brands: mergeBrands(answers, names, question.articleKey), suppliers }
  })
}
