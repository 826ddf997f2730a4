import { getOverview, listApiStatistics } from '@partsbus/contracts/administration/commands'
import type { ApiPoint, Overview } from '@partsbus/contracts/administration/overview'
import { statisticsPeriodOf } from '@partsbus/contracts/administration/statistics-range'
import type { AdminCall } from '../admin-call.js'
import { callOptions } from '../admin-context.js'

/*
 * Calls whose answer includes the requests that this gateway counted: it reports them first.
 */

/** `GET /overview` (admin.md#overview) */
export async function showOverview({ ctx, settings }: AdminCall<'GET /overview'>): Promise<Overview> {
  await ctx.apis.flushQuietly()
  return ctx.calls.request(getOverview, {}, callOptions(settings.call))
}

/** `GET /statistics/apis` (admin.md#statistics) */
export async function showApiStatistics(call: AdminCall<'GET /statistics/apis'>): Promise<ApiPoint[]> {
  const { ctx, query, settings } = call
  // each hour or day has a point of either API
  const period = statisticsPeriodOf(query, 2)
  await ctx.apis.flush()
  return (await ctx.calls.request(listApiStatistics, period, callOptions(settings.call))).points
}
