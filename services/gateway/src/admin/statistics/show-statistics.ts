import { listApiStatistics } from '@partsbus/contracts/administration/commands'
import type { ApiPoint } from '@partsbus/contracts/administration/overview'
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

/** `GET /statistics/apis` (admin.md#statistics), the requests that this gateway counted included */
export async function showApiStatistics({
  ctx,
  query,
  settings,
}: AdminCall<'GET /statistics/apis'>): Promise<ApiPoint[]> {
  const period = statisticsPeriod(query, 2)
  await ctx.apis.flush()
  return (await ctx.calls.request(listApiStatistics, period, callOptions(settings.call))).points
}
