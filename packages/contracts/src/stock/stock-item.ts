import { z } from 'zod'
import { amount, dateText, identifier, integer, requiredText } from '../field.js'

/** One item of `POST /stocks/batch-update` (erp.md#stock-item). */
export const stockItem = z
  .object({
    product_id_erp: requiredText(),
    quantity: integer(0),
    supply_date: dateText().nullish().describe('ISO 8601; empty: the stored one, else the current time'),
    delivery_days: integer(0).nullish().describe('empty: the stored one, else 0'),
  })
  .meta({ id: 'StockItem' })

export type StockItem = z.infer<typeof stockItem>

/** A supply in the admin API. */
export const supply = z
  .object({
    id: z.int(),
    product_id: z.int(),
    pick_up_point_id: z.int(),
    storage_id: z.int(),
    purchase_price: z.number().nullable(),
    selling_price: z.number().nullable(),
    old_price: z.number().nullable(),
    quantity: z.int(),
    reserved: z.int(),
    shipped: z.int(),
    supply_date: z.iso.datetime(),
    delivery_days: z.int(),
  })
  .meta({ id: 'Supply' })

export type Supply = z.infer<typeof supply>

/** A price in the shop's currency. More than two decimals are rejected, not rounded silently. */
const price = (name: string) =>
  amount()
    .check((ctx) => {
      if (Math.round(ctx.value * 100) / 100 === ctx.value) return
      ctx.issues.push({
        code: 'custom',
        input: ctx.value,
        params: { rule: 'format', text: `The ${name} must not have more than two decimals.` },
      })
    })
    .nullable()
    .optional()

/** The fields that the ERP does not write, for `PATCH /supplies/:id`; null: no price. */
export const supplyPatch = z
  .strictObject({
    purchase_price: price('purchase_price'),
    selling_price: price('selling_price'),
    old_price: price('old_price'),
    reserved: integer(0).optional(),
    shipped: integer(0).optional(),
  })
  .meta({ id: 'SupplyPatch' })

export type SupplyPatch = z.infer<typeof supplyPatch>

export const supplyPatchRequest = z.object({ id: identifier(), patch: supplyPatch })
