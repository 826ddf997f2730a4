import { z } from 'zod'
import { plainText } from '../field.js'

/** The most products in one query of their state (erp.md#status-1). */
export const MAX_STATES = 1_000

export const productStatesRequest = z
  .object({ ids_erp: z.array(plainText()).max(MAX_STATES) })
  .meta({ id: 'ProductStatusRequest' })

const imageStates = z.object({
  done: z.int(),
  pending: z.int().describe('being fetched, or waiting for another attempt'),
  failed: z.int().describe('given up'),
  problems: z
    .array(z.object({ url: z.string(), attempts: z.int(), reason: z.string(), is_retried: z.boolean() }))
    .describe('images that could not be fetched so far; at most 1,000 in one answer'),
})

/** A product that the ERP sent, as it is stored. */
export const productState = z.object({
  id: z.int(),
  erp_id: z.string(),
  slug: z.string(),
  is_active: z.boolean(),
  is_deleted: z.boolean(),
  updated_at: z.iso.datetime(),
  images: imageStates,
})

export type ProductState = z.infer<typeof productState>

/** One entry for each id, in the order sent (erp.md#status-2 to erp.md#status-4). */
export const productStatusAnswer = z
  .object({
    products: z.array(
      z.object({
        id_erp: z.string(),
        found: z.boolean().describe('false: the fields below are null'),
        slug: z.string().nullable(),
        is_active: z.boolean().nullable(),
        is_deleted: z.boolean().nullable(),
        updated_at: z.iso.datetime().nullable(),
        images: imageStates.nullable(),
        stock: z
          .object({
            quantity: z.int(),
            reserved: z.int(),
            shipped: z.int(),
            supply_date: z.iso.datetime(),
            delivery_days: z.int(),
          })
          .nullable()
          .describe('at the configured storage and point; null: there is none'),
        prices: z
          .object({
            selling_price: z.number().nullable(),
            purchase_price: z.number().nullable(),
            old_price: z.number().nullable(),
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'ProductStatus' })

export type ProductStatus = z.infer<typeof productStatusAnswer>
