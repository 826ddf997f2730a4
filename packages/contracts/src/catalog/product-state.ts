import { z } from 'zod'
import { plainText } from '../field.js'
import { imageStates } from './media.js'
import { attributeValue } from './product.js'

/** The most products in one query of their state (erp.md#status-1). */
export const MAX_STATES = 1_000

/** The ids of a query of states. */
export const statesRequest = z.object({
  ids_erp: z
    .array(plainText())
    .max(MAX_STATES)
    .meta({ example: ['P/0001', 'P/0404'] }),
})

export const productStatesRequest = statesRequest
  .extend({ fields: z.boolean().nullish().describe('true: the answer also has what the ERP wrote') })
  .meta({ id: 'ProductStatusRequest' })

/** What the ERP wrote, besides what every state has (erp.md#status-5). */
const written = {
  name: z.string(),
  brand: z.string().nullable(),
  article: z.string().nullable(),
  category_ids_erp: z.array(z.string()),
  attributes: z.array(attributeValue),
}

/** A product that the ERP sent, as it is stored. */
export const productState = z.object({
  id: z.int(),
  erp_id: z.string(),
  slug: z.string(),
  is_active: z.boolean(),
  is_deleted: z.boolean(),
  updated_at: z.iso.datetime(),
  images: imageStates,
  ...z.object(written).partial().shape,
})

export type ProductState = z.infer<typeof productState>

const whenAsked = 'with `"fields": true` only'

/** One entry for each id, in the order sent (erp.md#status-2 to erp.md#status-5). */
export const productStatusAnswer = z
  .object({
    products: z.array(
      z
        .object({
          id_erp: z.string().meta({ example: 'P/0001' }),
          found: z.boolean().describe('false: the fields below are null'),
          slug: z.string().nullable().meta({ example: 'brake-pads' }),
          is_active: z.boolean().nullable(),
          is_deleted: z.boolean().nullable(),
          updated_at: z.iso.datetime().nullable(),
          images: imageStates.nullable(),
          stock: z
            .object({
              quantity: z.int().meta({ example: 24 }),
              reserved: z.int().meta({ example: 2 }),
              shipped: z.int().meta({ example: 0 }),
              supply_date: z.iso.datetime(),
              delivery_days: z.int().meta({ example: 2 }),
            })
            .meta({ id: 'StockState' })
            .nullable()
            .describe('at the configured storage and point; null: there is none'),
          prices: z
            .object({
              selling_price: z.number().nullable().meta({ example: 2490 }),
              purchase_price: z.number().nullable().meta({ example: 1610.5 }),
              old_price: z.number().nullable().meta({ example: 2990 }),
            })
            .meta({ id: 'PriceState' })
            .nullable(),
          name: written.name.nullish().describe(whenAsked),
          brand: written.brand.nullish().describe(whenAsked),
          article: written.article.nullish().describe(whenAsked),
          category_ids_erp: written.category_ids_erp.nullish().describe(`${whenAsked}; unknown ones included`),
          attributes: written.attributes.nullish().describe(whenAsked),
        })
        .meta({ id: 'ProductStatusRow' }),
    ),
  })
  .meta({ id: 'ProductStatus' })

export type ProductStatus = z.infer<typeof productStatusAnswer>
