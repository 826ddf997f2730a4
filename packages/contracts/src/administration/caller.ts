import { z } from 'zod'

/** Who asked for a change, as the audit log names it (admin.md#audit). */
export const caller = z.object({
  administrator: z.object({
    id: z.int().nullable().describe('null: the holder of `ADMIN_TOKEN`, or nobody yet'),
    name: z.string(),
  }),
  request_id: z.string(),
  address: z.string().nullable().describe('null: a trusted proxy named none'),
})
export type Caller = z.infer<typeof caller>
