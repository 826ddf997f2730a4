import { z } from 'zod'
import { plainText } from './field.js'
import { resultDetails } from './result-details.js'

/** In the answer to a request with `X-Result-Details: 1` only. */
const details = resultDetails.optional()

/** Upsert of categories and products (erp.md#batch-result, erp.md#categories-8, erp.md#products-11). */
export const upsertResult = z
  .object({
    processed: z.int(),
    created: z.int(),
    updated: z.int(),
    errors: z.array(z.object({ id_erp: z.string(), message: z.string() }).meta({ id: 'UpsertError' })),
    details,
  })
  .meta({ id: 'UpsertResult' })

export type UpsertResult = z.infer<typeof upsertResult>

/** Stock update (erp.md#batch-result). */
export const stockResult = z
  .object({
    processed: z.int(),
    updated: z.int(),
    errors: z.array(z.object({ product_id_erp: z.string(), message: z.string() }).meta({ id: 'StockError' })),
    details,
  })
  .meta({ id: 'StockResult' })

export type StockResult = z.infer<typeof stockResult>

/** Deactivation (erp.md#batch-result). */
export const deactivationResult = z
  .object({
    requested: z.int().meta({ example: 2 }),
    deactivated: z.int().meta({ example: 1 }),
    not_found: z.array(z.string()).meta({ example: ['P/0404'] }),
    details,
  })
  .meta({ id: 'DeactivationResult' })

export type DeactivationResult = z.infer<typeof deactivationResult>

/** `{ids_erp: [...]}` with at most `erp_max_batch_items` ids (`batchField` of the command). */
export const deactivationRequest = z
  .object({
    ids_erp: z.array(
      plainText()
        .check((ctx) => {
          if (ctx.value.trim() === '')
            ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'required' } })
        })
        .meta({ minLength: 1, example: 'P/0001' }),
    ),
  })
  .meta({ id: 'DeactivationRequest' })

export type DeactivationRequest = z.infer<typeof deactivationRequest>
