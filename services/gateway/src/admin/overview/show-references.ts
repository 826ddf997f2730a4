import { createHash } from 'node:crypto'
import { listOwners } from '@partsbus/contracts/administration/accounts'
import type { References } from '@partsbus/contracts/administration/overview'
import { getPriceListReferences } from '@partsbus/contracts/pricing-import/overview'
import { getStockReferences } from '@partsbus/contracts/stock/overview'
import { callOptions } from '../admin-context.js'
import type { AdminCall } from '../admin-call.js'

/** `GET /references` (admin.md#names). The ETag is a digest: pages ask often, and names rarely change. */
export async function showReferences({ ctx, settings, reply }: AdminCall<'GET /references'>): Promise<References> {
  const options = callOptions(settings.call)
  const [stock, pricing, { owners }] = await Promise.all([
    ctx.calls.request(getStockReferences, {}, options),
    ctx.calls.request(getPriceListReferences, {}, options),
    ctx.calls.request(listOwners, {}, options),
  ])
  const references: References = { ...stock, ...pricing, owners }
  reply.header('etag', `"${createHash('sha256').update(JSON.stringify(references)).digest('base64url').slice(0, 27)}"`)
  return references
}
