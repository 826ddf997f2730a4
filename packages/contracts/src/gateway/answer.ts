import { z } from 'zod'
import { bodyError } from '../body-error.js'
import { identifier } from '../field.js'
import { resultDetails } from '../result-details.js'
import { importTask } from '../pricing-import/import-task.js'
import { offeredPickUpPoint } from '../stock/pick-up-point.js'
import { brandEntry, part } from '../supplier-search/commands.js'

/*
 * HTTP bodies that belong to no command: errors, the ERP's ping, responses to partners (rules.md#error-bodies).
 */

/** `{message}` of every error. */
export const messageAnswer = z.object({ message: z.string() }).meta({ id: 'Message' })

const withBodyError = {
  body_error: bodyError
    .optional()
    .describe('where the body stops being JSON in UTF-8 (`X-Result-Details: 1`, or admin)'),
}

/** A 400 for a body that is no JSON in UTF-8 (rules.md#body-error). */
export const malformedAnswer = messageAnswer.extend(withBodyError).meta({ id: 'Malformed' })

/** A 422: path of the invalid field → messages. */
const violationsOnly = z.object({
  message: z.string(),
  errors: z
    .record(z.string(), z.array(z.string()))
    .describe('path of the field (`products.3.name`, or `3.name` for the array form) → messages; the first 1,000'),
})

/** The same, with the details of an ERP batch (erp.md#details-422). */
export const violationsAnswer = violationsOnly
  .extend({ details: resultDetails.optional().describe('of an ERP batch with `X-Result-Details: 1` only') })
  .meta({ id: 'ViolationList' })

/** A 422 of the admin API (admin.md#violation-codes). */
export const codedViolationsAnswer = violationsOnly
  .extend({
    violations: z
      .array(
        z
          .object({
            path: z.string(),
            rule: z
              .string()
              .describe('`required`, `max`, `min`, `unknown`, `exists`, `taken`, `resend` …')
              .meta({ example: 'required' }),
            limit: z.number().optional(),
          })
          .meta({ id: 'CodedViolation' }),
      )
      .describe('the same as codes, for clients that word them themselves'),
  })
  .meta({ id: 'CodedViolationList' })

const referrer = z
  .object({
    kind: z.enum(['setting', 'price-list', 'pick-up-point', 'supplies']),
    id: z.union([z.int(), z.string()]),
    name: z.string(),
  })
  .meta({ id: 'Referrer' })
export type Referrer = z.infer<typeof referrer>

/** A 409 of the admin API (admin.md#references). */
export const conflictAnswer = messageAnswer
  .extend({ by: z.array(referrer).describe('what refers to the resource; empty where that is not the reason') })
  .meta({ id: 'Conflict' })

/** A 412 of the admin API. */
export const changedAnswer = messageAnswer
  .extend({ current: z.unknown().describe('the resource as it is now') })
  .meta({ id: 'Changed' })

/** `GET /api/erp/ping`. */
export const pong = z.object({ status: z.literal('ok') }).meta({ id: 'Pong' })

/** `{result: false, message}` of every error of the partner API. */
export const refusalAnswer = z
  .object({ result: z.literal(false).describe('always false'), message: z.string() })
  .meta({ id: 'Refusal' })

/** {@link malformedAnswer} of the partner API. */
export const refusedBodyAnswer = refusalAnswer.extend(withBodyError).meta({ id: 'RefusedBody' })

/** A 422 of the partner API, except `get-price-list-status`, which returns a `ViolationList`. */
export const refusedFieldsAnswer = refusalAnswer
  .extend({
    errors: z.record(z.string(), z.array(z.string())).describe('name of the field → messages'),
  })
  .meta({ id: 'RefusedFields' })

const answered = { result: z.boolean(), message: z.string().meta({ example: 'OK' }) }

export const pickUpPointsAnswer = z
  .object({ ...answered, pick_up_points: z.array(offeredPickUpPoint) })
  .meta({ id: 'PickUpPoints' })
export const brandsAnswer = z.object({ ...answered, brands: z.array(brandEntry) }).meta({ id: 'Brands' })
export const partsAnswer = z.object({ ...answered, parts: z.array(part) }).meta({ id: 'Parts' })
export const uploadAnswer = z.object({ ...answered, task_id: z.int() }).meta({ id: 'ScheduledUpload' })
export const importStatusAnswer = z.object({ ...answered, task: importTask }).meta({ id: 'ImportStatus' })

/** `POST /get-price-list-status`. */
export const importStatusRequest = z
  .object({ task_id: identifier().describe('as returned by `upload-price-list`') })
  .meta({ id: 'ImportStatusRequest' })
