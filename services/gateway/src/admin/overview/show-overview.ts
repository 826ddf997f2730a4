import { getOverview } from '@partsbus/contracts/administration/commands'
import type { Overview } from '@partsbus/contracts/administration/overview'
import type { AdminCall } from '../admin-call.js'
import { callOptions } from '../admin-context.js'

/** `GET /overview` (admin.md#overview), the requests that this gateway counted included. */
export async function showOverview({ ctx, settings }: AdminCall<'GET /overview'>): Promise<Overview> {
  await ctx.apis.flushQuietly()
  return ctx.calls.request(getOverview, {}, callOptions(settings.call))
}
