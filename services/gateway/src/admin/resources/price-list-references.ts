import { AppError } from '@partsbus/contracts/errors'
import { priceListsOfStorage } from '@partsbus/contracts/pricing'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'

/** Names told of at most; a storage may have many lists. */
const NAMED = 5

/**
 * A storage that price lists belong to is not removed under them.
 * @throws AppError CONFLICT naming them (admin.md#references), or UNAVAILABLE when their service cannot say
 */
export async function assertNoPriceLists(
  ctx: Pick<AdminContext, 'calls'>,
  storageId: number,
  held: SettingsSnapshot,
): Promise<void> {
  const { price_lists } = await ctx.calls.request(
    priceListsOfStorage,
    { storage_id: storageId },
    callOptions(held.call),
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
  )
}
