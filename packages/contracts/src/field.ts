import { z } from 'zod'
import { parseInstant } from './instant.js'
import { isLongerThan } from './text-length.js'
import { isValidText } from './valid-text.js'
import type { RuleParams } from './violation.js'

/*
 * The field types of the APIs. Types are not coerced; lengths count Unicode code points; strings with NUL or lone
 * surrogates are invalid; required strings that are blank count as missing; integers must be safe integers
 * (rules.md#values-types, rules.md#values-text). Objects drop unknown fields (rules.md#values-unknown).
 */

function brokenRule(value: string, limit: number, required: boolean): RuleParams | undefined {
  if (required && value.trim() === '') return { rule: 'required' }
  if (!isValidText(value)) return { rule: 'text' }
  if (isLongerThan(value, limit)) return { rule: 'max', limit }
  return undefined
}

function textField(limit: number, required: boolean) {
  return z
    .string()
    .check((ctx) => {
      const params = brokenRule(ctx.value, limit, required)
      if (params) ctx.issues.push({ code: 'custom', input: ctx.value, params: { ...params } })
    })
    .meta({ ...(limit < Infinity && { maxLength: limit }), ...(required && { minLength: 1 }) })
}

/** A required string that is not blank. */
export const requiredText = (limit = 191) => textField(limit, true)

/** A string, null, or absent. */
export const optionalText = (limit = Infinity) => textField(limit, false).nullish()

/** Any string, including the empty one. */
export const plainText = (limit = Infinity) => textField(limit, false)

/** A safe integer between `min` and `max`. `-0` becomes `0`. */
export function integer(min?: number, max?: number) {
  return z
    .number({ error: 'integer' })
    .check((ctx) => {
      const params: RuleParams | undefined = !Number.isSafeInteger(ctx.value)
        ? { rule: 'integer' }
        : min !== undefined && ctx.value < min
          ? { rule: 'min', limit: min }
          : max !== undefined && ctx.value > max
            ? { rule: 'at_most', limit: max }
            : undefined
      if (params) ctx.issues.push({ code: 'custom', input: ctx.value, params: { ...params } })
      else if (ctx.value === 0) ctx.value = 0
    })
    .meta({ type: 'integer', ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) })
}

/** An amount of money: finite, not negative. */
export function amount() {
  return z
    .number()
    .check((ctx) => {
      if (!(ctx.value >= 0)) ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'min', limit: 0 } })
    })
    .meta({ type: 'number', minimum: 0 })
}

/** The forms that `parseInstant` accepts, or the empty string. The date must exist, too. */
const DATE_PATTERN =
  '^(\\d{4}-\\d{2}-\\d{2}([Tt ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?\\s?([Zz]|[+-]\\d{2}(:?\\d{2})?)?)?)?$'

/** An ISO 8601 date or date-time that exists; the empty string means none. */
export const dateText = () =>
  z
    .string()
    .check((ctx) => {
      if (ctx.value !== '' && parseInstant(ctx.value) === undefined)
        ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'date' } })
    })
    .meta({ pattern: DATE_PATTERN })

/** An id assigned by Partsbus. */
export const identifier = () => integer(1)
