import type { z } from 'zod'
import { AppError, texts } from './app-error.js'

/** Violations by path, as in every 422: `{"products.3.name": ["The name field is required."]}`. */
export type Violations = Record<string, string[]>

/** A 422 lists the first 1,000 violations (rules.md#violations). */
export const MAX_VIOLATIONS = 1_000

/** Parameters of the issues that `field.ts` creates. */
export interface RuleParams {
  rule: 'required' | 'max' | 'min' | 'at_most' | 'integer' | 'number' | 'text' | 'date' | 'max_items' | 'format'
  limit?: number
  /** the message of a rule with a message of its own */
  text?: string
}

/** The rule that a value breaks, so that a client can word it in another language. */
export type ViolationRule = RuleParams['rule'] | 'unknown' | 'exists' | 'taken' | 'resend' | 'invalid'

/** One violation as a code (admin.md#violation-codes). */
export interface FieldViolation {
  path: string
  rule: ViolationRule
  limit?: number
}

/**
 * A 422 in the form that all APIs share.
 * @param rules of the violations, or the one that all of them break; only the admin API shows them
 */
export function contractViolation(errors: Violations, rules?: ViolationRule | FieldViolation[]): AppError {
  const violations = typeof rules === 'string' ? Object.keys(errors).map((path) => ({ path, rule: rules })) : rules
  return new AppError('CONTRACT_VIOLATION', texts.invalid, { details: { errors, ...(violations && { violations }) } })
}

/** Collects the violations of a request with their rules, and refuses it with all of them. */
export class ViolationList {
  private readonly errors: Violations = {}
  private readonly rules = new Map<string, ViolationRule>()

  /** A later violation of the same path replaces the one before. */
  set(path: string, rule: ViolationRule, text: string): void {
    this.errors[path] = [text]
    this.rules.set(path, rule)
  }

  /** @throws AppError CONTRACT_VIOLATION when there are any */
  assertNone(): void {
    if (this.rules.size === 0) return
    throw contractViolation(
      this.errors,
      [...this.rules].map(([path, rule]) => ({ path, rule })),
    )
  }
}

/** The rules that issues of zod stand for, in the order of {@link describeIssues}. */
export function codeIssues(issues: readonly z.core.$ZodIssue[], input: unknown): FieldViolation[] {
  return issues.flatMap((issue) => codeIssue(issue, input)).slice(0, MAX_VIOLATIONS)
}

/**
 * Each issue with its path inside the value, its rule and its message.
 * @param prefix as for {@link describeIssues}
 */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  prefix: string,
): Array<{ path: string; rule: ViolationRule; message: string }> {
  return issues.map((issue) => {
    const path = joinPath('', issue.path)
    const message = issueMessage(issue, joinPath(prefix, issue.path), valueAt(input, issue.path))
    return { path, rule: codeIssue(issue, input)[0]?.rule ?? 'format', message }
  })
}

/**
 * Converts issues of zod to the messages of the specification (`The name must not be greater than 191 characters.`).
 * @param input the validated value; distinguishes a missing field from one of the wrong type
 * @param prefix path of the validated value, like `products.3`
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  prefix: string,
  into: Violations = {},
): Violations {
  let count = countViolations(into)
  for (const issue of issues) {
    if (count >= MAX_VIOLATIONS) break
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_VIOLATIONS - count)) {
        const path = joinPath(prefix, [...issue.path, key])
        add(into, path, `The ${key} field is unknown.`)
        count += 1
      }
      continue
    }
    const path = joinPath(prefix, issue.path)
    add(into, path, issueMessage(issue, path, valueAt(input, issue.path)))
    count += 1
  }
  return into
}

/** A path may be the name of an inherited property: `constructor`, `__proto__`. */
function add(into: Violations, path: string, text: string): void {
  if (Object.hasOwn(into, path)) into[path]?.push(text)
  else Object.defineProperty(into, path, { value: [text], enumerable: true, configurable: true, writable: true })
}

export function countViolations(violations: Violations): number {
  let count = 0
  for (const list of Object.values(violations)) count += list.length
  return count
}

function joinPath(prefix: string, path: readonly PropertyKey[]): string {
  const own = path.map(String).join('.')
  if (prefix === '') return own
  return own === '' ? prefix : `${prefix}.${own}`
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

/** The name in messages: `products.3.name` is `name`, `ids_erp.2` is `ids_erp.2`, `3` is `item 3`. */
function fieldName(path: string): string {
  const parts = path.split('.')
  const last = parts.at(-1) ?? ''
  if (last === '') return 'item'
  if (parts.length === 1 && /^\d+$/.test(last)) return `item ${last}`
  return /^\d+$/.test(last) ? parts.slice(-2).join('.') : last
}

/** The message for a value that is none of a few. */
export function notAllowed(name: string, values: readonly unknown[]): string {
  const listed = values.map(String)
  const last = listed.pop()
  return `The selected ${name} is invalid. It must be ${listed.length > 0 ? `${listed.join(', ')} or ` : ''}${last}.`
}

const typeMessages: Record<string, string> = {
  string: 'must be a string',
  int: 'must be an integer',
  number: 'must be a number',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
  boolean: 'field must be true or false',
}

function issueMessage(issue: z.core.$ZodIssue, path: string, value: unknown): string {
  const name = fieldName(path)
  const missing = value === undefined || value === null
  const params = issue.code === 'custom' ? (issue.params as RuleParams | undefined) : undefined
  if (params) return ruleMessage(params, name)
  if (missing && issue.code !== 'custom') return `The ${name} field is required.`
  if (issue.code === 'invalid_type') return `The ${name} ${typeMessages[expectedType(issue)] ?? 'is invalid'}.`
  // an empty array counts as missing, like a blank text
  if (issue.code === 'too_small' && issue.origin === 'array' && issue.minimum === 1)
    return `The ${name} field is required.`
  if (issue.code === 'too_small')
    return issue.origin === 'array'
      ? `The ${name} must have at least ${issue.minimum} items.`
      : `The ${name} must be at least ${issue.minimum}.`
  if (issue.code === 'too_big') {
    if (issue.origin === 'array') return `The ${name} must not have more than ${issue.maximum} items.`
    if (issue.origin === 'string') return `The ${name} must not be greater than ${issue.maximum} characters.`
    return `The ${name} must not be greater than ${issue.maximum}.`
  }
  if (issue.code === 'invalid_value') return notAllowed(name, issue.values)
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options) return notAllowed(name, issue.options)
  return `The ${name} is invalid.`
}

function codeIssue(issue: z.core.$ZodIssue, input: unknown): FieldViolation[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: joinPath('', [...issue.path, key]), rule: 'unknown' }))
  const path = joinPath('', issue.path)
  const params = issue.code === 'custom' ? (issue.params as RuleParams | undefined) : undefined
  if (params) return [{ path, rule: params.rule, ...(params.limit !== undefined && { limit: params.limit }) }]
  const value = valueAt(input, issue.path)
  if (value === undefined || value === null) return [{ path, rule: 'required' }]
  if (issue.code === 'invalid_type') return [{ path, rule: typeRules[expectedType(issue)] ?? 'format' }]
  if (issue.code === 'too_small') {
    if (issue.origin === 'array' && issue.minimum === 1) return [{ path, rule: 'required' }]
    return [{ path, rule: 'min', limit: Number(issue.minimum) }]
  }
  if (issue.code === 'too_big') {
    const rule = issue.origin === 'array' ? 'max_items' : issue.origin === 'string' ? 'max' : 'at_most'
    return [{ path, rule, limit: Number(issue.maximum) }]
  }
  return [{ path, rule: 'format' }]
}

/** `field.ts` makes integers of numbers. */
const expectedType = (issue: z.core.$ZodIssueInvalidType): string =>
  issue.message === 'integer' ? 'int' : issue.expected

const typeRules: Record<string, ViolationRule> = { int: 'integer', number: 'number' }

function ruleMessage(params: RuleParams, name: string): string {
  if (params.text !== undefined) return params.text
  const limit = params.limit ?? 0
  const messages: Record<RuleParams['rule'], string> = {
    required: `The ${name} field is required.`,
    max: `The ${name} must not be greater than ${limit} characters.`,
    min: `The ${name} must be at least ${limit}.`,
    at_most: `The ${name} must not be greater than ${limit}.`,
    integer: `The ${name} must be an integer.`,
    number: `The ${name} must be a number.`,
    text: `The ${name} must not contain NUL characters or lone surrogates.`,
    date: `The ${name} is not a valid date.`,
    max_items: `The ${name} must not have more than ${limit} items.`,
    format: `The ${name} is invalid.`,
  }
  return messages[params.rule]
}
