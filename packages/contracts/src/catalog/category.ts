import { z } from 'zod'
import { integer, optionalText, requiredText } from '../field.js'
import { itemMedia } from './media.js'

/** One item of `POST /categories/batch-upsert` (erp.md#category-item). */
export const categoryItem = z
  .object({
    id_erp: requiredText().describe("the ERP's own identifier, key of the upsert").meta({ example: 'C-11' }),
    parent_id_erp: optionalText(191).describe(
      'absent: unchanged; null or empty: becomes a root; unknown: remembered until it arrives',
    ),
    name: requiredText().meta({ example: 'Brake pads' }),
    description: optionalText().describe('absent or null: cleared').meta({ example: 'Pads for disc brakes' }),
    slug: optionalText(191)
      .describe('absent, null or blank: generated on create, unchanged on update')
      .meta({ example: 'brake-pads' }),
    sort_order: integer().nullish().describe('absent or null: 0 on create, unchanged on update').meta({ example: 0 }),
    is_active: z.boolean().nullish().describe('absent or null: true'),
    image_url: optionalText()
      .describe('absent: untouched; null or empty: cleared')
      .meta({ example: 'https://erp.example.org/images/brake-pads.png' }),
  })
  .meta({ id: 'CategoryItem' })

export type CategoryItem = z.infer<typeof categoryItem>

/** A category in the admin API. */
export const category = z
  .object({
    id: z.int(),
    erp_id: z.string().meta({ example: 'C-11' }),
    parent_id: z.int().nullable().meta({ example: 10 }),
    name: z.string().meta({ example: 'Brake pads' }),
    description: z.string().nullable().meta({ example: 'Pads for disc brakes' }),
    slug: z.string().meta({ example: 'brake-pads' }),
    is_active: z.boolean(),
    sort: z.int().meta({ example: 5 }),
    media: z.array(itemMedia),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Category' })

export type Category = z.infer<typeof category>

/** A category in a list, with the counts that a tree shows. */
export const categoryRow = category
  .extend({
    children: z.int().describe('categories below it, directly'),
    products: z.int().describe('products linked to it, soft-deleted ones included'),
    pending_parent_erp_id: z
      .string()
      .nullable()
      .describe('of a parent that has not arrived yet')
      .meta({ example: null }),
  })
  .meta({ id: 'CategoryRow' })

/** The same from a service of version 0.1, which lacks fields. */
export const categoryRowReply = categoryRow.partial({ children: true, products: true, pending_parent_erp_id: true })

export type CategoryRow = z.infer<typeof categoryRow>
