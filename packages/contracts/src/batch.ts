import type { z } from 'zod'
import { AppError, texts } from './app-error.js'
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

interface BatchLimits {
  errorPolicy: ErrorPolicy
  maxItems: number
}

/** Violations that the entries of a batch list under the policy `reject_failed_rows`, all of an item or the first. */
const MAX_LISTED = 10_000
/** Violations that an entry lists beyond these. */
const MAX_LISTED_OF_ITEM = 20

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
  limits: BatchLimits,
  details?: DetailCollector,
): Batch<ItemOf<C>> {
  const steps = readItems(contract, body, limits, details)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * As {@link readBatch}, but asks after each item: 1,000 items of 500 invalid attributes take seconds.
 * @param turn waits while others have their turn, or undefined; what it throws ends the batch
 */
export async function readBatchInTurns<C extends BatchCommand>(
  contract: C,
  body: unknown,
  limits: BatchLimits,
  { details, turn }: { details: DetailCollector | undefined; turn: () => Promise<void> | undefined },
): Promise<Batch<ItemOf<C>>> {
  const steps = readItems(contract, body, limits, details)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const others = turn()
    if (others) await others
  }
}

/** Yields after each item. */
function* readItems<C extends BatchCommand>(
  contract: C,
  body: unknown,
  limits: BatchLimits,
  details?: DetailCollector,
): Generator<void, Batch<ItemOf<C>>> {
  const { list, prefix } = findItems(contract.key, body, details)
  if (list.length > limits.maxItems) {
    throw contractViolation({ [contract.key]: [tooManyItems(contract.key, limits.maxItems)] })
  }
  const items: ItemOf<C>[] = []
  const rejected: RejectedItem[] = []
  const violations: Violations = {}
  let count = 0
  let detailed = 0
  let listed = 0
  for (const [index, raw] of list.entries()) {
    if (count >= MAX_VIOLATIONS && !details) break
    const result = contract.item.safeParse(raw)
    // they are shown by index, so the first ones are enough
    if (details) detailed += collectDetails(details, { contract, index, raw, result, room: MAX_VIOLATIONS - detailed })
    if (result.success) {
      items.push(result.data as ItemOf<C>)
    } else if (limits.errorPolicy === 'reject_failed_rows') {
      const { issues } = result.error
      const room = Math.max(MAX_LISTED_OF_ITEM, MAX_LISTED - listed)
      rejected.push(rejection(contract, raw, issues, room))
      listed += Math.min(issues.length, room)
    } else if (count < MAX_VIOLATIONS) {
      describeIssues(result.error.issues, raw, prefix === '' ? String(index) : `${prefix}.${index}`, violations)
      count = countViolations(violations)
    }
    yield
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

/** @returns how many violations it added, at most `room` */
function collectDetails(
  details: DetailCollector,
  item: {
    contract: BatchCommand
    index: number
    raw: unknown
    result: z.ZodSafeParseResult<unknown>
    room: number
  },
): number {
  const { contract, index, raw, result, room } = item
  details.countIgnored(contract.item, raw)
  if (result.success) {
    details.setPosition(result.data as object, index)
    return 0
  }
  const issues = result.error.issues.slice(0, room)
  for (const { path, rule, message } of explainIssues(issues, raw, String(index))) {
    const code: ResultCode = Object.hasOwn(resultCodes, rule) ? (rule as ResultCode) : 'format'
    details.add(index, itemId(contract, raw), { code, path, message })
  }
  return issues.length
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

/** @param room of violations that are listed */
export function rejection(
  contract: BatchCommand,
  raw: unknown,
  issues: readonly z.core.$ZodIssue[],
  room: number,
): RejectedItem {
  const texts = Object.values(describeIssues(issues.slice(0, room), raw, '')).flat()
  if (texts.length === 0) texts.push('The item must be an object.')
  if (issues.length > room) texts.push(more(issues.length - room))
  return { id: itemId(contract, raw), message: texts.join(' ') }
}

function more(violations: number): string {
  return `${violations} more ${violations === 1 ? 'violation' : 'violations'}.`
}

function itemId({ idField }: BatchCommand, raw: unknown): string {
  const id = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[idField] : undefined
  return typeof id === 'string' ? id : ''
}
