import type { z } from 'zod'
import { AppError, texts } from './errors.js'
import type { BatchCommand, ItemOf } from './message.js'
import { type DetailCollector, type ResultCode, resultCodes } from './result-details.js'
import {
  contractViolation,
  countViolations,
  describeIssues,
  explainIssues,
  MAX_VIOLATIONS,
  type Violations,
} from './violation.js'

/** `reject_batch`: an invalid item rejects the batch. `reject_failed_rows`: it rejects only itself. */
export type ErrorPolicy = 'reject_batch' | 'reject_failed_rows'

/** An invalid item under the policy `reject_failed_rows`. */
export interface RejectedItem {
  /** the id of the item if it is a string, else `''` */
  id: string
  message: string
}

/** A validated batch. */
export interface Batch<Item> {
  /** the valid items, in the order of the request */
  items: Item[]
  rejected: RejectedItem[]
  /** number of items in the request, including the rejected ones */
  processed: number
}

/**
 * Reads a batch body in either form and applies the error policy
 * (erp.md#batch-forms, erp.md#batch-policy).
 * @throws AppError CONTRACT_VIOLATION when the form is wrong, there are too many items,
 *   or an item is invalid and the policy is `reject_batch`
 * @param details gets the position of each valid item, the violations and the unknown fields
 */
export function readBatch<C extends BatchCommand>(
  contract: C,
  body: unknown,
  limits: { errorPolicy: ErrorPolicy; maxItems: number },
  details?: DetailCollector,
): Batch<ItemOf<C>> {
  const { list, prefix } = findItems(contract.key, body, details)
  if (list.length > limits.maxItems) {
    throw contractViolation({ [contract.key]: [tooManyItems(contract.key, limits.maxItems)] })
  }
  const items: ItemOf<C>[] = []
  const rejected: RejectedItem[] = []
  const violations: Violations = {}
  let count = 0
  for (const [index, raw] of list.entries()) {
    const result = contract.item.safeParse(raw)
    if (details) collectDetails(details, contract, index, raw, result)
    if (result.success) {
      items.push(result.data as ItemOf<C>)
    } else if (limits.errorPolicy === 'reject_failed_rows') {
      rejected.push(rejection(contract, raw, describeIssues(result.error.issues, raw, '')))
    } else if (count < MAX_VIOLATIONS) {
      describeIssues(result.error.issues, raw, prefix === '' ? String(index) : `${prefix}.${index}`, violations)
      count = countViolations(violations)
    }
  }
  if (count > 0) throw detailedViolation(violations, details)
  if (details) noteRepeated(details, contract, items)
  return { items, rejected, processed: list.length }
}

/** @param limit the setting `erp_max_batch_items` */
export function tooManyItems(key: string, limit: number): string {
  return `The ${key} must not have more than ${limit} items (setting erp_max_batch_items).`
}

function findItems(key: string, body: unknown, details?: DetailCollector): { list: unknown[]; prefix: string } {
  if (Array.isArray(body)) return { list: body, prefix: '' }
  if (typeof body === 'object' && body !== null) {
    const list = Object.hasOwn(body, key) ? (body as Record<string, unknown>)[key] : undefined
    if (Array.isArray(list)) return { list, prefix: key }
    if (list !== undefined && list !== null) throw wrongForm(key, `The ${key} must be an array.`, details)
  }
  throw wrongForm(key, `The ${key} field is required.`, details)
}

/** The documented text does not say that an array without a name is fine, too. */
function wrongForm(key: string, text: string, details?: DetailCollector): AppError {
  const message = `The body must be an array of items, or an object with this array under "${key}".`
  details?.add(0, '', { code: 'format', path: key, message })
  return detailedViolation({ [key]: [text] }, details)
}

function collectDetails(
  details: DetailCollector,
  contract: BatchCommand,
  index: number,
  raw: unknown,
  result: z.ZodSafeParseResult<unknown>,
): void {
  details.countIgnored(contract.item, raw)
  if (result.success) details.setPosition(result.data as object, index)
  else {
    for (const { path, rule, message } of explainIssues(result.error.issues, raw, String(index))) {
      const code: ResultCode = Object.hasOwn(resultCodes, rule) ? (rule as ResultCode) : 'format'
      details.add(index, itemId(contract, raw), { code, path, message })
    }
  }
}

/** The items are applied in their order, so that the later one may overwrite what the earlier one wrote. */
function noteRepeated(details: DetailCollector, { idField }: BatchCommand, items: readonly unknown[]): void {
  const later = new Set<string>()
  for (const item of items.toReversed() as Array<Record<string, unknown>>) {
    const id = String(item[idField])
    const message = `A later item of the batch has the same ${idField} and is applied after this one.`
    if (later.has(id)) details.addFor(item, id, { code: 'item_repeated', message })
    later.add(id)
  }
}

function detailedViolation(errors: Violations, details?: DetailCollector): AppError {
  if (!details) return contractViolation(errors)
  return new AppError('CONTRACT_VIOLATION', texts.invalid, { details: { errors, details: details.toReply() } })
}

function rejection(contract: BatchCommand, raw: unknown, violations: Violations): RejectedItem {
  return {
    id: itemId(contract, raw),
    message: Object.values(violations).flat().join(' ') || 'The item must be an object.',
  }
}

function itemId({ idField }: BatchCommand, raw: unknown): string {
  const id = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[idField] : undefined
  return typeof id === 'string' ? id : ''
}
