import { getProductStates } from '@partsbus/contracts/catalog/commands'
import type { ProductState, ProductStatus } from '@partsbus/contracts/catalog/product-state'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { MAX_BODY_BYTES, type ReplyOf, type RequestOf } from '@partsbus/contracts/message'
import { getSupplyStates } from '@partsbus/contracts/stock/commands'
import type { Supply } from '@partsbus/contracts/stock/stock-item'
import { parseJson } from '@partsbus/platform/bus/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestSettings } from '../auth/request-settings.js'
import type { GatewayContext } from '../context.js'
import { readJsonBytes } from '@partsbus/http-guard/read-json-body'
import { withRequestScope } from '../http/request-calls.js'
import { inOrderSent } from './in-order-sent.js'

/**
 * `POST /products/status` (erp.md#status): what the catalog has, and the stock at the configured location. They are
 * joined here, because a service that waited for the other would do so in a slot that batches need.
 */
export function showProductStatus(ctx: GatewayContext) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<ProductStatus> =>
    ctx.admission.erp.receive(
      (reserve) => readJsonBytes(request, reply, reserve, MAX_BODY_BYTES),
      async (body) => {
        const settings = requestSettings(request).call
        const { calls } = withRequestScope(ctx, request)
        const states = await calls.forward(getProductStates, body, { settings })
        const { products } = parseJson(states) as ReplyOf<typeof getProductStates>
        const supplies = await findSupplies(calls, products, settings)
        const known = new Map(products.map((product) => [product.erp_id, product]))
        const { ids_erp, fields } = parseJson(body) as RequestOf<typeof getProductStates>
        const toRow = (id: string) => ({
          ...toStatus(id, known.get(id), supplies),
          ...(fields === true && toFields(known.get(id))),
        })
        return { products: inOrderSent(ids_erp, toRow) }
      },
    )
}

async function findSupplies(
  calls: Pick<GatewayContext['calls'], 'request'>,
  products: readonly ProductState[],
  { erp_storage_id, erp_pick_up_point_id }: CallSettings,
): Promise<Map<number, Supply>> {
  if (erp_storage_id === null || erp_pick_up_point_id === null || products.length === 0) return new Map()
  const { supplies } = await calls.request(getSupplyStates, {
    product_ids: products.map(({ id }) => id),
    storage_id: erp_storage_id,
    pick_up_point_id: erp_pick_up_point_id,
  })
  return new Map(supplies.map((supply) => [supply.product_id, supply]))
}

type Row = ProductStatus['products'][number]

/** A catalog of an earlier release does not send them. */
function toFields(product: ProductState | undefined): Partial<Row> {
  if (!product) return { name: null, brand: null, article: null, category_ids_erp: null, attributes: null }
  const { name, brand, article, category_ids_erp, attributes } = product
  return { name, brand, article, category_ids_erp, attributes }
}

function toStatus(id: string, product: ProductState | undefined, supplies: ReadonlyMap<number, Supply>): Row {
  const supply = product && supplies.get(product.id)
  return {
    id_erp: id,
    found: product !== undefined,
    slug: product?.slug ?? null,
    is_active: product?.is_active ?? null,
    is_deleted: product?.is_deleted ?? null,
    updated_at: product?.updated_at ?? null,
    images: product?.images ?? null,
    stock: supply
      ? {
          quantity: supply.quantity,
          reserved: supply.reserved,
          shipped: supply.shipped,
          supply_date: supply.supply_date,
          delivery_days: supply.delivery_days,
        }
      : null,
    prices: supply
      ? {
          selling_price: supply.selling_price,
          purchase_price: supply.purchase_price,
          old_price: supply.old_price,
        }
      : null,
  }
}
