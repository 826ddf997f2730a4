import type { BodyError } from '@partsbus/contracts/body-error'
import { texts } from '@partsbus/contracts/app-error'
import * as answers from '@partsbus/contracts/gateway/answer'
import {
  type DescribedStatus,
  type Docs,
  type Examples,
  type StatusDocs,
  tooLarge,
} from '@partsbus/contracts/http/docs'
import type { AdminRow, ErpRow, Row } from '@partsbus/contracts/http/row'
import { MAX_BODY_BYTES, MAX_SMALL_BODY_BYTES } from '@partsbus/contracts/message'

/** Status → what it means. */
export type Statuses = Record<number, DescribedStatus | undefined>

const RETRY_AFTER = ['Retry-After']
const UNAVAILABLE =
  'A service behind the gateway is unreachable or overloaded. Repeat the request after the seconds in `Retry-After`.'
const BEARER =
  'The header `Authorization: Bearer <token>` is missing or malformed, or the token is not the current one.'
const CROSS_SITE = 'Cross-site requests are not allowed.'

const notJson: BodyError = { code: 'not_json', byte: 1, message: 'The body ends inside the JSON.' }
const notUtf8: BodyError = {
  code: 'not_utf8',
  byte: 41,
  message: 'Byte 41 (0xC4) is not valid UTF-8. Send the body in UTF-8.',
}

const mediaType: StatusDocs = {
  description: 'The body is not sent as `application/json`, or is compressed.',
  messages: [texts.mediaType, texts.encoding],
}
/** 500 is a defect everywhere, and none of a batch is known to be written. */
const internal: StatusDocs = { description: 'An error in Partsbus.', messages: [texts.internal] }
const malformedText =
  'The body is not JSON in UTF-8. `body_error` says which of the two and at which byte; the ERP and the partner API ' +
  'have it when the request has `X-Result-Details: 1`, the admin API always.'

/** @param base the fields of every error of the API */
function malformed(schema: DescribedStatus['schema'], base: object): DescribedStatus {
  const value = { ...base, message: texts.malformedJson }
  const examples = {
    [texts.malformedJson]: value,
    'Not UTF-8': { ...value, body_error: notUtf8 },
    'Not JSON': { ...value, body_error: notJson },
  }
  return { description: malformedText, ...(schema && { schema }), examples }
}

export const notFound: StatusDocs = { description: 'There is no resource with this id.', messages: [texts.notFound] }
export const unavailable: StatusDocs = { description: UNAVAILABLE, messages: [texts.unavailable], headers: RETRY_AFTER }
export const timeout: StatusDocs = {
  description: 'A service did not respond in time. The request may have been carried out.',
  messages: [texts.timeout],
}

const erp = {
  token: { description: BEARER, messages: ['Missing or invalid Authorization header.', 'Invalid ERP API token.'] },
  address: {
    description: "The caller's address is not in `erp_allowed_ips`.",
    messages: ['Access from this IP address is not allowed for ERP API.'],
    headers: ['X-Client-Address'],
  },
  rate: {
    description: 'The rate limit of this API is exceeded. There is none unless an administrator sets one.',
    messages: ['Too many requests.'],
    headers: RETRY_AFTER,
  },
  disabled: {
    description: `The integration is disabled (checked first), or: ${UNAVAILABLE}`,
    messages: ['ERP integration is disabled.', texts.unavailable],
    headers: RETRY_AFTER,
  },
  storage: {
    description: '`erp_storage_id` or `erp_pick_up_point_id` is not set.',
    messages: ['Default storage and pick-up point for ERP stocks must be configured.'],
  },
} satisfies Record<string, StatusDocs>

/** Statuses of a call of the ERP besides its success (erp.md). */
export function erpStatuses(row: ErpRow, docs: Docs): Statuses {
  return {
    ...(row.body && { 400: malformed(answers.malformedAnswer, {}), 413: tooLarge(MAX_BODY_BYTES), 415: mediaType }),
    401: erp.token,
    403: erp.address,
    ...(row.params && { 404: notFound }),
    ...(docs.violations && { 422: violations(docs, answers.violationsAnswer) }),
    429: erp.rate,
    500: row.writesStock ? erp.storage : internal,
    503: erp.disabled,
    ...((row.body || row.command) && { 504: timeout }),
  }
}

/** Statuses of a call of partners besides its success (partners.md). */
export function partnerStatuses(row: Row, docs: Docs): Statuses {
  return {
    ...(row.body && {
      400: malformed(answers.refusedBodyAnswer, { result: false }),
      413: tooLarge(MAX_SMALL_BODY_BYTES),
      415: mediaType,
    }),
    401: { description: BEARER, messages: [texts.unauthenticated] },
    ...(docs.violations && {
      422: violations(docs, answers.refusedFieldsAnswer, row.refusals?.[422] ? {} : { result: false }),
    }),
    429: {
      description: 'The rate limit is exceeded. There is none unless an administrator sets one.',
      messages: ['Too many requests.'],
      headers: RETRY_AFTER,
    },
    500: {
      description: 'No token is configured; checked before the header.',
      messages: ['B2B API token is not configured.'],
    },
    503: {
      description: `The API is disabled (checked first), or: ${UNAVAILABLE}`,
      messages: ['B2B API is disabled.', texts.unavailable],
      headers: RETRY_AFTER,
    },
    504: { description: 'A service did not respond in time.', messages: [texts.timeout] },
  }
}

function violations({ invalid, violations: errors }: Docs, schema: DescribedStatus['schema'], base = {}) {
  const examples = { 'The violations by path': { ...base, message: texts.invalid, errors } }
  return { description: invalid ?? '', ...(schema && { schema }), examples }
}

/** Statuses of a call of the admin API besides its success (admin.md). */
export function adminStatuses(path: string, row: AdminRow, docs: Docs): Statuses {
  return {
    ...(row.body && {
      400: malformed(answers.malformedAnswer, {}),
      413: tooLarge(MAX_SMALL_BODY_BYTES),
      415: mediaType,
    }),
    ...(row.role !== 'nobody' && {
      401: {
        description: 'There is neither the admin token nor the cookie of an open session (checked first).',
        messages: [texts.unauthenticated],
      },
    }),
    ...((row.role === 'manager' || row.role === 'owner') && {
      403: {
        description: 'The role of the administrator does not allow it, or a page of another site sent the request.',
        messages: ['Your role does not allow this.', CROSS_SITE],
      },
    }),
    ...(/[:*]/.test(path) && { 404: notFound }),
    ...(docs.conflict && {
      409: {
        description: 'Another resource refers to it, or its state does not allow the change; nothing was changed.',
        schema: answers.conflictAnswer,
        examples: { [docs.conflict]: { message: docs.conflict, by: [] } },
      },
    }),
    ...(takesRevision(path, row) && {
      412: {
        description: '`If-Match` names another revision; nothing was changed. `current` is the resource as it is now.',
        schema: answers.changedAnswer,
        headers: ['ETag'],
      },
    }),
    422: invalidRequest(path, row, docs),
    500: internal,
    503: unavailable,
    // the service that knows sessions and tokens may be late, too
    504: timeout,
  }
}

/** Whether a call takes `If-Match` (admin.md#revisions). */
export function takesRevision(path: string, { isRevised, status }: Row): boolean {
  return isRevised === true && status !== 201 && !path.startsWith('GET ')
}

function invalidRequest(path: string, row: AdminRow, docs: Docs): DescribedStatus {
  if (docs.violations) {
    const isChange = row.command ? row.audit !== undefined || row.namesCaller === true : !path.startsWith('GET ')
    return coded(docs.invalid ?? (isChange ? 'Nothing was written.' : 'The request is not valid.'), docs.violations)
  }
  const known = Object.keys(row.query?.shape ?? {})
  if (known.includes('page')) {
    const errors = {
      page: ['The page must be an integer.'],
      per_page: ['The per_page must not be greater than 500.'],
    }
    return coded('A parameter is malformed or out of range.', errors)
  }
  const taken = known.length === 0 ? 'This call takes none.' : `This call takes ${known.join(', ')}.`
  const errors = { sort: [`The sort parameter is unknown. ${taken}`] }
  return coded('The call has no such query parameter.', errors, 'unknown')
}

function coded(description: string, errors: NonNullable<Docs['violations']>, rule = 'invalid'): DescribedStatus {
  const violations = Object.keys(errors).map((path) => ({ path, rule }))
  const examples: Examples = {
    'The violations by path, and as codes': { message: texts.invalid, errors, violations },
  }
  return { description, schema: answers.codedViolationsAnswer, examples }
}
