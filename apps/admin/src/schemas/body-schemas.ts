/*
 * The schemas of the contract, with zod: a chunk of its own, which only forms load. The settings of zod come first.
 */
import '@partsbus/contracts/without-eval'
import type { FieldViolation } from '@partsbus/client/answer-error'
import type { Operation } from '@partsbus/contracts/admin/operation'
import { adminOperations } from '@partsbus/contracts/admin/operations'
import type { AdminPath } from '@partsbus/contracts/admin/paths'
import { codeIssues, describeIssues } from '@partsbus/contracts/violation'

export interface BodyProblems {
  violations: FieldViolation[]
  errors: Record<string, string[]>
}

/** What the server would refuse of the body of a call. */
export function checkBody(path: AdminPath, body: unknown): BodyProblems {
  const operation: Operation = adminOperations[path]
  const result = operation.body?.safeParse(body)
  if (result === undefined || result.success) return { violations: [], errors: {} }
  const { issues } = result.error
  return { violations: codeIssues(issues, body), errors: describeIssues(issues, body, '') }
}
