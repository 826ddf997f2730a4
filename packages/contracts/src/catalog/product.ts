import { z } from 'zod'
import { integer, optionalText, requiredText } from '../field.js'
import { itemMedia } from './media.js'

/** Maximum number of attributes per item (erp.md#batch-size). */
export const MAX_ATTRIBUTES = 500
/** Maximum number of images per item (erp.md#batch-size). */
export const MAX_IMAGES = 50

export const attributeItem = z
  .object({
    name: requiredText().meta({ example: 'Brake pad set, front' }),
    value: optionalText().describe('null is stored as the empty string'),
    type: optionalText(50).describe('absent or null: the empty string'),
  })
  .meta({ id: 'AttributeItem' })

export const imageItem = z
  .object({
    url: requiredText(Infinity).describe('http or https; JPEG, PNG, WebP or GIF of at most 10 MB and 40 megapixels'),
    sort_order: integer().nullish().describe('absent or null: the position in the list').meta({ example: 0 }),
    is_main: z.boolean().nullish().describe('absent or null: false'),
  })
  .meta({ id: 'ImageItem' })

/** One item of `POST /products/batch-upsert` (erp.md#product-item). */
export const productItem = z
  .object({
    id_erp: requiredText().describe("the ERP's own identifier, key of the upsert").meta({ example: 'P/0001' }),
    name: requiredText().meta({ example: 'Brake pad set, front' }),
    brand: optionalText(191).describe('absent or null: cleared').meta({ example: 'NORDBREMS' }),
    article: optionalText(191).describe('absent or null: cleared').meta({ example: 'NB-1204' }),
    category_id_erp: optionalText(191).describe(
      'linked in addition to the links that exist; unknown: remembered until it arrives',
    ),
    description_short: optionalText()
      .describe('written when the stored description is null or empty')
      .meta({ example: 'Four pads' }),
    description_full: optionalText()
      .describe('written when it is a string, the empty one included')
      .meta({ example: '<p>Four pads with wear indicator.</p>' }),
    slug: optionalText(191)
      .describe('absent, null or blank: generated on create, unchanged on update')
      .meta({ example: 'brake-pads' }),
    sort_order: integer().nullish().describe('absent or null: 0').meta({ example: 0 }),
    is_active: z.boolean().nullish().describe('absent or null: true'),
    attributes: z
      .array(attributeItem)
      .max(MAX_ATTRIBUTES)
      .nullish()
      .describe('merged by name and type; those not listed stay'),
    images: z
      .array(imageItem)
      .max(MAX_IMAGES)
      .nullish()
      .describe('absent: untouched; null or []: cleared; a list replaces'),
  })
  .meta({ id: 'ProductItem' })

export type ProductItem = z.infer<typeof productItem>
export type AttributeItem = z.infer<typeof attributeItem>
export type ImageItem = z.infer<typeof imageItem>

export const attributeValue = z
  .object({ name: z.string(), type: z.string(), value: z.string() })
  .meta({ id: 'AttributeValue' })

/** A product in the admin API. */
export const product = z
  .object({
    id: z.int(),
    erp_id: z.string().meta({ example: 'P/0001' }),
    name: z.string().meta({ example: 'Brake pad set, front' }),
    brand: z.string().nullable().meta({ example: 'NORDBREMS' }),
    article: z.string().nullable().meta({ example: 'NB-1204' }),
    description: z.string().nullable().meta({ example: 'Four pads with wear indicator.' }),
    slug: z.string().meta({ example: 'brake-pads' }),
    is_active: z.boolean(),
    sort: z.int().meta({ example: 5 }),
    deleted_at: z.iso.datetime().nullable().meta({ example: null }),
    categories: z.array(z.object({ id: z.int(), erp_id: z.string(), name: z.string() }).meta({ id: 'LinkedCategory' })),
    attributes: z.array(attributeValue),
    media: z.array(itemMedia),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Product' })

export type Product = z.infer<typeof product>
