import {
  codedViolationsAnswer,
  conflictAnswer,
  malformedAnswer,
  messageAnswer,
  violationsAnswer,
} from '@partsbus/contracts/gateway/answer'
import type { BodyError } from '@partsbus/contracts/body-error'
import { bodyTooLarge, texts } from '@partsbus/contracts/errors'
import type { Violations } from '@partsbus/contracts/violation'
import type { Answer, Example } from './operation.js'

const messages = (...list: string[]): Record<string, Example> =>
  Object.fromEntries(list.map((message, at) => [`message${at + 1}`, { summary: message, value: { message } }]))

const refusal = (description: string, ...list: string[]): Answer => ({
  description,
  schema: messageAnswer,
  examples: messages(...list),
})

/** 422 with the violations as an example. */
export const violations = (description: string, errors: Violations): Answer => ({
  description,
  schema: violationsAnswer,
  examples: { violations: { summary: 'The violations by path', value: { message: texts.invalid, errors } } },
})

/** The same of the admin API, which adds codes. */
export const codedViolations = (description: string, errors: Violations, rule = 'invalid'): Answer => {
  const codes = Object.keys(errors).map((path) => ({ path, rule }))
  const value = { message: texts.invalid, errors, violations: codes }
  return {
    description,
    schema: codedViolationsAnswer,
    examples: { violations: { summary: 'The violations by path, and as codes', value } },
  }
}

const limits = 'The rate limit of this API is exceeded. There is none unless an administrator sets one.'
const unavailable =
  'A service behind the gateway is unreachable or overloaded. Repeat the request after the seconds in `Retry-After`.'
const slow = 'A service did not respond in time. The request may have been carried out.'

/** A 400 of the ERP and the partner API; the admin API always has `body_error`. */
export const MALFORMED_TEXT =
  'The body is not JSON in UTF-8. `body_error` says which of the two and at which byte; the ERP and the partner API ' +
  'have it when the request has `X-Result-Details: 1`, the admin API always.'
const notJson: BodyError = { code: 'not_json', byte: 1, message: 'The body ends inside the JSON.' }
export const notUtf8: BodyError = {
  code: 'not_utf8',
  byte: 41,
  message: 'Byte 41 (0xC4) is not valid UTF-8. Send the body in UTF-8.',
}

/** Responses that several APIs share (rules.md#error-codes). */
export const refusals = {
  malformed: {
    description: MALFORMED_TEXT,
    schema: malformedAnswer,
    examples: {
      message: { summary: texts.malformedJson, value: { message: texts.malformedJson } },
      byte: { summary: 'Not UTF-8', value: { message: texts.malformedJson, body_error: notUtf8 } },
      end: { summary: 'Not JSON', value: { message: texts.malformedJson, body_error: notJson } },
    },
  } satisfies Answer,
  notFound: refusal('There is no resource with this id.', texts.notFound),
  tooLarge: (limit: number): Answer =>
    refusal(`The body is larger than ${limit / 1024 / 1024} MiB. The connection is closed.`, bodyTooLarge(limit)),
  mediaType: refusal('The body is not sent as `application/json`, or is compressed.', texts.mediaType, texts.encoding),
  range: refusal('The range is outside of the image.', 'The range is not satisfiable.'),
  rateLimited: { ...refusal(limits, 'Too many requests.'), headers: ['Retry-After'] } satisfies Answer,
  unavailable: { ...refusal(unavailable, texts.unavailable), headers: ['Retry-After'] } satisfies Answer,
  timeout: refusal(slow, texts.timeout),
  conflict: (message: string): Answer => ({
    description: 'Another resource refers to it, or its state does not allow the change; nothing was changed.',
    schema: conflictAnswer,
    examples: { conflict: { summary: message, value: { message, by: [] } } },
  }),
  adminToken: refusal(
    'There is neither the admin token nor the cookie of an open session (checked first).',
    texts.unauthenticated,
  ),
  signIn: refusal(
    'The name is unknown, the password is wrong, or the administrator is not active.',
    'The name or the password is wrong.',
  ),
  signInPlace: refusal(
    'A page of another site sent the request, or the connection is not encrypted.',
    'Cross-site requests are not allowed.',
  ),
  signInRate: {
    ...refusal('There were too many failures. The right password is refused, too, until then.', 'Too many requests.'),
    headers: ['Retry-After'],
  } satisfies Answer,
  invitation: refusal('It was used, replaced, or is older than 72 hours.', 'The invitation is no longer valid.'),
  role: refusal(
    'The role of the administrator does not allow it, or a page of another site sent the request.',
    'Your role does not allow this.',
    'Cross-site requests are not allowed.',
  ),
  erpToken: refusal(
    'The header `Authorization: Bearer <token>` is missing or malformed, or the token is not the current one.',
    'Missing or invalid Authorization header.',
    'Invalid ERP API token.',
  ),
  erpAddress: {
    ...refusal(
      "The caller's address is not in `erp_allowed_ips`.",
      'Access from this IP address is not allowed for ERP API.',
    ),
    headers: ['X-Client-Address'],
  } satisfies Answer,
  erpDisabled: {
    ...refusal(
      `The integration is disabled (checked first), or: ${unavailable}`,
      'ERP integration is disabled.',
      texts.unavailable,
    ),
    headers: ['Retry-After'],
  } satisfies Answer,
  erpStorage: refusal(
    '`erp_storage_id` or `erp_pick_up_point_id` is not set.',
    'Default storage and pick-up point for ERP stocks must be configured.',
  ),
}
