import type { CategoryState, CategoryStatus } from '@partsbus/contracts/catalog/category-state'
import { getCategoryStates } from '@partsbus/contracts/catalog/commands'
import { MAX_BODY_BYTES, type ReplyOf, type RequestOf } from '@partsbus/contracts/message'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestSettings } from '../auth/request-settings.js'
import type { GatewayContext } from '../context.js'
import { readJsonBytes } from '@partsbus/http-guard/read-json-body'
import { withRequestScope } from '../http/request-calls.js'
import { inOrderSent } from './in-order-sent.js'

/** `POST /categories/status` (erp.md#category-status). */
export function showCategoryStatus(ctx: GatewayContext) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<CategoryStatus> =>
    ctx.admission.erp.receive(
      (reserve) => readJsonBytes(request, reply, reserve, MAX_BODY_BYTES),
      async (body) => {
        const settings = requestSettings(request).call
        const states = await withRequestScope(ctx, request).calls.forward(getCategoryStates, body, { settings })
        const { categories } = parseJson(states) as ReplyOf<typeof getCategoryStates>
        const known = new Map(categories.map((category) => [category.erp_id, category]))
        const { ids_erp } = parseJson(body) as RequestOf<typeof getCategoryStates>
        return { categories: inOrderSent(ids_erp, (id) => toStatus(id, known.get(id))) }
      },
    )
}

function toStatus(id: string, category: CategoryState | undefined): CategoryStatus['categories'][number] {
  return {
    id_erp: id,
    found: category !== undefined,
    name: category?.name ?? null,
    parent_id_erp: category?.parent_erp_id ?? null,
    pending_parent_id_erp: category?.pending_parent_erp_id ?? null,
    slug: category?.slug ?? null,
    is_active: category?.is_active ?? null,
    updated_at: category?.updated_at ?? null,
    images: category?.images ?? null,
  }
}
