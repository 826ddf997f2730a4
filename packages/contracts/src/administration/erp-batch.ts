import { z } from 'zod'

/** One request to a batch endpoint of the ERP API (erp.md#batch-list). */
export const erpBatch = z
  .object({
    at: z.iso.datetime(),
    request_id: z.string().meta({ example: '0f6e2f0a-7d55-4c3f-9b1e-2a7a5f1d9c10' }),
    call: z.string().describe('like `products/batch-upsert`').meta({ example: 'products/batch-upsert' }),
    status: z.int().describe('of the answer'),
    duration_ms: z.int().meta({ example: 340 }),
    counts: z
      .record(z.string(), z.int())
      .nullable()
      .describe('`processed`, `created`, `updated`, `unchanged`, `errors`, or those of a delete; null: not 200'),
  })
  .meta({ id: 'ErpBatch' })

export type ErpBatch = z.infer<typeof erpBatch>

/** The latest first (erp.md#batch-list-1). */
export const erpBatchesAnswer = z.object({ batches: z.array(erpBatch) }).meta({ id: 'ErpBatches' })
