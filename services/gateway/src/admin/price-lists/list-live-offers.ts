import type { AnswerOf, QueryOf } from '@partsbus/contracts/http/admin'
import { listOffers } from '@partsbus/contracts/pricing-import/commands'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'

type Path = 'GET /price-lists/:id/offers'

/** `GET /price-lists/:id/offers` (admin.md#price-list-offers). */
export async function listLiveOffers(
  ctx: Pick<AdminContext, 'calls'>,
  id: number,
  query: QueryOf<Path>,
  settings: SettingsSnapshot,
): Promise<AnswerOf<Path>> {
  const { next: _next, ...page } = await ctx.calls.request(listOffers, { id, ...query }, callOptions(settings.call))
  return page
}
