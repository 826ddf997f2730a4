import { z } from 'zod'

/** One request to a batch endpoint of the ERP API (erp.md#batch-list). */
export const erpBatch = z
  .object({
    at: z.iso.datetime(),
    request_id: z.string(),
    call: z.string().describe('like `products/batch-upsert`'),
    status: z.int().describe('of the answer'),
    duration_ms: z.int(),
    counts: z
      .record(z.string(), z.int())
      .nullable()
      .describe('`processed`, `created`, `updated`, `unchanged`, `errors`, or those of a delete; null: not 200'),
  })
  .meta({ id: 'ErpBatch' })

export type ErpBatch = z.infer<typeof erpBatch>

/** The latest first (erp.md#batch-list-1). */
export const erpBatchesAnswer = z.object({ batches: z.array(erpBatch) }).meta({ id: 'ErpBatches' })
