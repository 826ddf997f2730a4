/*
 * The schemas of the contract, with zod: a chunk of its own, which only forms load. The settings of zod come first.
 */
import '@partsbus/contracts/without-eval'
import type { FieldViolation } from '@partsbus/client/answer-error'
import { type AdminPath, adminRows } from '@partsbus/contracts/http/admin'
import type { Row } from '@partsbus/contracts/http/row'
import { codeIssues, describeIssues } from '@partsbus/contracts/violation'

export interface BodyProblems {
  violations: FieldViolation[]
  errors: Record<string, string[]>
}

/** What the server would refuse of the body of a call. */
export function checkBody(path: AdminPath, body: unknown): BodyProblems {
  const row: Row = adminRows[path]
  const result = row.body?.safeParse(body)
  if (result === undefined || result.success) return { violations: [], errors: {} }
  const { issues } = result.error
  return { violations: codeIssues(issues, body), errors: describeIssues(issues, body, '') }
}
