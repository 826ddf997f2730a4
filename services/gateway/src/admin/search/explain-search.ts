import { explainBrands, explainParts } from '@partsbus/contracts/supplier-search/overview'
import { callOptions } from '../admin-context.js'
import type { AdminCall } from '../admin-call.js'

/** The search answers within 10 s (rules.md#suppliers-time). */
const TIMEOUT_MS = 12_000

/** `POST /search/brands`: what a partner gets, and what each storage did (admin.md#search-explain). */
export async function searchBrands({ ctx, body, settings }: AdminCall<'POST /search/brands'>) {
  const found = await ctx.calls.request(explainBrands, body, callOptions(settings.call, TIMEOUT_MS))
  return { ...askedOf(found), ...found, is_open: settings.values.b2b_enabled }
}

/** `POST /search/parts`: what a partner gets, and what each storage did (admin.md#search-explain). */
export async function searchParts({ ctx, body, settings }: AdminCall<'POST /search/parts'>) {
  const found = await ctx.calls.request(explainParts, body, callOptions(settings.call, TIMEOUT_MS))
  return { ...askedOf(found), ...found, is_open: settings.values.b2b_enabled }
}

/** For a search of version 0.1, which does not say it. */
function askedOf({ suppliers }: { suppliers: readonly unknown[] }) {
  return { asked: suppliers.length, of: null, also_in: [] }
}
