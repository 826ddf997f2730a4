import type { IncomingHttpHeaders } from 'node:http'
import type { BatchOptions } from '@partsbus/contracts/batch-options'
import { contractViolation, notAllowed } from '@partsbus/contracts/violation'

/**
 * The options that the headers of a batch name; undefined when there are none, so that a request without them costs
 * and answers nothing more.
 * @throws AppError CONTRACT_VIOLATION for an unknown value, since a misspelt header must not decide about data
 */
export function batchOptions(headers: IncomingHttpHeaders): BatchOptions | undefined {
  const details = headers['x-result-details']
  const mode = headers['x-update-mode']
  const fullSync = headers['x-full-sync']
  if (details === undefined && mode === undefined && fullSync === undefined) return undefined
  return {
    details: details !== undefined && choose('x-result-details', details, { 0: false, 1: true }),
    replace: mode !== undefined && choose('x-update-mode', mode, { merge: false, replace: true }),
    ...(fullSync !== undefined && { fullSync: String(fullSync).trim() }),
  }
}

function choose<T>(name: string, sent: string | string[], values: Record<string, T>): T {
  const value = new Map(Object.entries(values)).get(String(sent).trim().toLowerCase())
  if (value !== undefined) return value
  throw contractViolation({ [name]: [notAllowed(name, Object.keys(values))] })
}
