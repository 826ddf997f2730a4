import type { ErrorPolicy } from '@partsbus/contracts/batch'
import { contractViolation, notAllowed } from '@partsbus/contracts/violation'

/** The values of `X-Error-Policy`. */
const policies = new Map<string, ErrorPolicy>([
  ['reject-batch', 'reject_batch'],
  ['reject-failed-rows', 'reject_failed_rows'],
])

/**
 * What happens to a batch with an invalid item (erp.md#batch-policy): the header overrides the setting.
 * @throws AppError CONTRACT_VIOLATION for an unknown value, since a misspelt header must not decide about data
 */
export function errorPolicy(header: string | string[] | undefined, setting: ErrorPolicy): ErrorPolicy {
  if (header === undefined) return setting
  const policy = policies.get(String(header).trim().toLowerCase())
  if (policy !== undefined) return policy
  throw contractViolation({ 'x-error-policy': [notAllowed('x-error-policy', [...policies.keys()])] })
}
