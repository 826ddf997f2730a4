import { adminRows } from '@partsbus/contracts/admin'
import { partnerRows } from '@partsbus/contracts/b2b'
import { erpRows } from '@partsbus/contracts/erp'
import type { z } from 'zod'

/*
 * Loaded only where answers are validated, because it brings the schemas and zod with it.
 */

const tables = { admin: adminRows, erp: erpRows, b2b: partnerRows }

/** @throws Error naming the fields of an answer that are not as the contract says */
export function validateAnswer(api: 'admin' | 'erp' | 'b2b', path: string, answer: unknown): void {
  const schema = (tables[api] as Record<string, { answer?: z.ZodType }>)[path]?.answer
  if (!schema) throw new Error(`${path} has no JSON answer in the contract`)
  const result = schema.safeParse(answer)
  if (!result.success) throw new Error(`the answer of ${path} is not valid: ${result.error.message}`)
}
