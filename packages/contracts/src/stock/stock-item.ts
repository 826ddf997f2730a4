import { z } from 'zod'
import { amount, dateText, identifier, integer, requiredText } from '../field.js'

/** One item of `POST /stocks/batch-update` (erp.md#stock-item). */
export const stockItem = z
  .object({
    product_id_erp: requiredText().meta({ example: 'P/0001' }),
    quantity: integer(0).meta({ example: 24 }),
    supply_date: dateText()
      .nullish()
      .describe('ISO 8601; empty: the stored one, else the current time')
      .meta({ example: '2026-11-21' }),
    delivery_days: integer(0).nullish().describe('empty: the stored one, else 0').meta({ example: 2 }),
  })
  .meta({ id: 'StockItem' })

export type StockItem = z.infer<typeof stockItem>

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

/** One item of `POST /prices/batch-update` (erp.md#price-item). */
export const priceItem = z
  .object({
    product_id_erp: requiredText().meta({ example: 'P/0001' }),
    selling_price: price('selling_price')
      .describe('at most two decimals; absent: unchanged; null: no price')
      .meta({ example: 2490 }),
    purchase_price: price('purchase_price')
      .describe('at most two decimals; absent: unchanged; null: no price')
      .meta({ example: 1610.5 }),
    old_price: price('old_price')
      .describe('at most two decimals; absent: unchanged; null: no price')
      .meta({ example: 2990 }),
  })
  .check((ctx) => {
    const { selling_price, purchase_price, old_price } = ctx.value
    if (selling_price !== undefined || purchase_price !== undefined || old_price !== undefined) return
    ctx.issues.push({
      code: 'custom',
      input: ctx.value,
      path: ['selling_price'],
      params: { rule: 'required', text: 'One of selling_price, purchase_price and old_price is required.' },
    })
  })
  .meta({ id: 'PriceItem', minProperties: 2 })

export type PriceItem = z.infer<typeof priceItem>

/** A supply in the admin API. */
export const supply = z
  .object({
    id: z.int(),
    product_id: z.int(),
    pick_up_point_id: z.int(),
    storage_id: z.int().meta({ example: 12 }),
    purchase_price: z.number().nullable().meta({ example: 1610.5 }),
    selling_price: z.number().nullable().meta({ example: 2490 }),
    old_price: z.number().nullable().meta({ example: 2990 }),
    quantity: z.int().meta({ example: 24 }),
    reserved: z.int().meta({ example: 2 }),
    shipped: z.int().meta({ example: 0 }),
    supply_date: z.iso.datetime(),
    delivery_days: z.int().meta({ example: 2 }),
  })
  .meta({ id: 'Supply' })

export type Supply = z.infer<typeof supply>

/** For `PATCH /supplies/:id`; null: no price. */
export const supplyPatch = z
  .strictObject({
    purchase_price: price('purchase_price').meta({ example: 1610.5 }),
    selling_price: price('selling_price').meta({ example: 2490 }),
    old_price: price('old_price').meta({ example: 2990 }),
    reserved: integer(0).optional().meta({ example: 2 }),
    shipped: integer(0).optional().meta({ example: 0 }),
  })
  .meta({ id: 'SupplyPatch' })

export type SupplyPatch = z.infer<typeof supplyPatch>

export const supplyPatchRequest = z.object({ id: identifier(), patch: supplyPatch })
