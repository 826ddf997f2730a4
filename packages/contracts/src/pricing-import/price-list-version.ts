import { z } from 'zod'

/** A stored version of a list (admin.md#versions). */
export const priceListVersion = z
  .object({
    version: z.int().describe('its id, that of its import').meta({ example: 41 }),
    number: z.int().describe('within the list, from 1').meta({ example: 3 }),
    task_id: z.int().meta({ example: 41 }),
    rows: z.int().meta({ example: 51_200 }),
    markup_percent: z
      .number()
      .nullable()
      .describe('with which its offers were made; null: not known, or they were made with different settings')
      .meta({ example: 15 }),
    delivery_days: z
      .int()
      .nullable()
      .describe('for rows without a value; null: none, or `markup_percent` is null, too')
      .meta({ example: 2 }),
    is_active: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'PriceListVersion' })

/** The same from a service of version 0.2, which lacks fields. */
export const priceListVersionReply = priceListVersion.partial({
  number: true,
  markup_percent: true,
  delivery_days: true,
})

export const priceListVersions = z.array(priceListVersion)
export type PriceListVersion = z.infer<typeof priceListVersion>
