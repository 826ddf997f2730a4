import { messageAnswer, violationsAnswer } from '@partsbus/contracts/answer'
import { texts } from '@partsbus/contracts/errors'
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
  examples: { violations: { summary: 'What is wrong, by path', value: { message: texts.invalid, errors } } },
})

const limits = 'More requests than the rate limit of this door allows (off unless an administrator sets one).'
const away = 'A service behind the gateway is away or overloaded. Repeat the request after the time in `Retry-After`.'
const slow = 'A service did not answer in time. The work may have been done all the same.'

/** Answers that several doors give alike (rules.md#error-codes). */
export const refusals = {
  malformed: refusal('The body is not JSON in UTF-8.', texts.malformedJson),
  notFound: refusal('Nothing has this id.', texts.notFound),
  tooLarge: (limit: number): Answer =>
    refusal(
      `The body is larger than ${limit / 1024 / 1024} MiB. The connection is closed.`,
      `The request body must not be greater than ${limit} bytes.`,
    ),
  mediaType: refusal(
    'The body is not sent as `application/json`, or is compressed.',
    'The media type must be application/json.',
    'The content encoding is not supported.',
  ),
  range: refusal('Nothing of the picture lies in the range.', 'The range is not satisfiable.'),
  rateLimited: { ...refusal(limits, 'Too many requests.'), headers: ['Retry-After'] } satisfies Answer,
  unavailable: { ...refusal(away, texts.unavailable), headers: ['Retry-After'] } satisfies Answer,
  timeout: refusal(slow, texts.timeout),
  conflict: (message: string): Answer => refusal('Something else refers to it; nothing was changed.', message),
  adminToken: refusal('No token, or not the admin token. Checked before everything else.', texts.unauthenticated),
  erpToken: refusal(
    'No usable `Authorization: Bearer <token>`, or a token that is not the current one.',
    'Missing or invalid Authorization header.',
    'Invalid ERP API token.',
  ),
  erpAddress: refusal(
    "The caller's address is not in `erp_allowed_ips`.",
    'Access from this IP address is not allowed for ERP API.',
  ),
  erpDisabled: {
    ...refusal(
      `The integration is switched off (checked before everything else), or: ${away}`,
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
