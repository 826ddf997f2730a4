import type { z } from 'zod'
import { codeIssues, contractViolation, describeIssues } from './violation.js'

/** @throws AppError CONTRACT_VIOLATION listing the violations */
export function check<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issues = allIssues(schema, input, result.error.issues)
  throw contractViolation(describeIssues(issues, input, ''), codeIssues(issues, input))
}

/** zod looks neither into a list with too many items nor at rules of the whole beside it: those of the first items. */
function allIssues(schema: z.ZodType, input: unknown, issues: readonly z.core.$ZodIssue[]) {
  const oversized = issues.filter((issue) => issue.code === 'too_big' && issue.origin === 'array')
  if (oversized.length === 0) return issues
  const rest = oversized.reduce(cutList, input)
  return [...oversized, ...(schema.safeParse(rest).error?.issues ?? [])]
}

/** A copy of the input in which the list of an issue has as many items as it may. */
function cutList(input: unknown, { path, ...issue }: z.core.$ZodIssue): unknown {
  const [key, ...inner] = path
  if (key === undefined) return (input as unknown[]).slice(0, Number((issue as { maximum?: unknown }).maximum))
  const copy = Array.isArray(input) ? [...input] : { ...(input as object) }
  return Object.assign(copy, {
    [key]: cutList((input as Record<PropertyKey, unknown>)[key], { path: inner, ...issue } as z.core.$ZodIssue),
  })
}
