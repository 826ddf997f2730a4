import { z } from 'zod'
import { imageStates } from './media.js'
import { statesRequest } from './product-state.js'

export const categoryStatesRequest = statesRequest.meta({ id: 'CategoryStatusRequest' })

/** A category that the ERP sent, as it is stored. */
export const categoryState = z.object({
  erp_id: z.string(),
  name: z.string(),
  parent_erp_id: z.string().nullable(),
  pending_parent_erp_id: z.string().nullable(),
  slug: z.string(),
  is_active: z.boolean(),
  updated_at: z.iso.datetime(),
  images: imageStates,
})

export type CategoryState = z.infer<typeof categoryState>

/** One entry for each id, in the order sent (erp.md#category-status). */
export const categoryStatusAnswer = z
  .object({
    categories: z.array(
      z
        .object({
          id_erp: z.string().meta({ example: 'P/0001' }),
          found: z.boolean().describe('false: the fields below are null'),
          name: z.string().nullable().meta({ example: 'Brake pads' }),
          parent_id_erp: z.string().nullable().describe('null: a root').meta({ example: 'C-10' }),
          pending_parent_id_erp: z.string().nullable().describe('a parent that has not arrived yet'),
          slug: z.string().nullable().meta({ example: 'brake-pads' }),
          is_active: z.boolean().nullable(),
          updated_at: z.iso.datetime().nullable(),
          images: imageStates.nullable(),
        })
        .meta({ id: 'CategoryStatusRow' }),
    ),
  })
  .meta({ id: 'CategoryStatus' })

export type CategoryStatus = z.infer<typeof categoryStatusAnswer>
