import type { ApiPoint } from '@partsbus/contracts/gateway/overview'
import { stepMs } from '@partsbus/contracts/gateway/statistics-range'
import { getImportStatistics, type ImportPoint } from '@partsbus/contracts/pricing-import/overview'
import { getSupplierStatistics, type SupplierPoint } from '@partsbus/contracts/supplier-search/overview'
import type { AdminCall } from '../admin-call.js'
import { callOptions } from '../admin-context.js'
import { limitPoints, statisticsPeriod } from './statistics-period.js'

/** `GET /statistics/imports` (admin.md#statistics) */
export async function showImportStatistics({
  ctx,
  query,
  settings,
}: AdminCall<'GET /statistics/imports'>): Promise<ImportPoint[]> {
  const { price_list_id, ...range } = query
  const request = { ...statisticsPeriod(range), ...(price_list_id !== undefined && { price_list_id }) }
  return (await ctx.calls.request(getImportStatistics, request, callOptions(settings.call))).points
}

/** `GET /statistics/suppliers` (admin.md#statistics) */
export async function showSupplierStatistics({
  ctx,
  query,
  settings,
}: AdminCall<'GET /statistics/suppliers'>): Promise<SupplierPoint[]> {
  const { storage_id, ...range } = query
  const request = { ...statisticsPeriod(range), ...(storage_id !== undefined && { storage_id }) }
  return limitPoints((await ctx.calls.request(getSupplierStatistics, request, callOptions(settings.call))).points)
}

/** `GET /statistics/apis` (admin.md#statistics) @throws AppError UNAVAILABLE at once while the database is down */
export async function showApiStatistics({ ctx, query }: AdminCall<'GET /statistics/apis'>): Promise<ApiPoint[]> {
  const { from, to, step } = statisticsPeriod(query, 2)
  const unavailable = ctx.mongo.unavailable()
  if (unavailable) throw unavailable
  return ctx.apis.readPoints({ from: new Date(from), to: new Date(to), stepMs: stepMs[step] })
}
