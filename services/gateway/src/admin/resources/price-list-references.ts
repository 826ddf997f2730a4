import { AppError } from '@partsbus/contracts/errors'
import type { Referrer } from '@partsbus/contracts/gateway/answer'
import { priceListsOfStorage } from '@partsbus/contracts/pricing-import/commands'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'

/** Price lists that the message names at most. */
const NAMED = 5

/**
 * @throws AppError CONFLICT naming the price lists of the storage (admin.md#references), or UNAVAILABLE when their
 * service cannot be reached
 */
export async function assertNoPriceLists(
  ctx: Pick<AdminContext, 'calls'>,
  storageId: number,
  settings: SettingsSnapshot,
): Promise<void> {
  const { price_lists } = await ctx.calls.request(
    priceListsOfStorage,
    { storage_id: storageId },
    callOptions(settings.call),
  )
  if (price_lists.length === 0) return
  const named = price_lists
    .slice(0, NAMED)
    .map(({ id, name }) => `"${name}" (${id})`)
    .join(', ')
  const more = price_lists.length > NAMED ? ` and ${price_lists.length - NAMED} more` : ''
  throw new AppError(
    'CONFLICT',
    `The storage is used by the price list${price_lists.length > 1 ? 's' : ''} ${named}${more}.`,
    { details: { by: price_lists.map(({ id, name }): Referrer => ({ kind: 'price-list', id, name })) } },
  )
}
